"""The state of an abstract run, with its owners, and the tables and hooks by which the language asks models."""
