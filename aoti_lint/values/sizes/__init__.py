"""Sizes and numbers that are not known: as symbols, as shapes of inputs, as what the user chooses."""
