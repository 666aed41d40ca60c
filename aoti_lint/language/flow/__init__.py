"""Which way the code goes: loops, patterns, handlers, context managers, and what outlives a function."""
