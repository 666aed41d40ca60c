"""Exported programs and compiled packages: what they say, and how scripts make and load them."""
