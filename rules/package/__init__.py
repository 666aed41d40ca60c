"""Exported programs and compiled packages: what they say themselves, and against the scripts that make and load them."""
