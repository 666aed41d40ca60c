"""Python's own functions, types and containers, and those of its standard library that only compute."""
