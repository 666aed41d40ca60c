"""Calls of torch's functions, and of packages and operators, as they are noted."""
