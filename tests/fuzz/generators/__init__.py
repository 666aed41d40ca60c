"""Makes cases from random numbers: of a seed, of hypothesis, or of atheris."""
