"""Which functions of a file are run for themselves, in which order, and what they leave behind."""
