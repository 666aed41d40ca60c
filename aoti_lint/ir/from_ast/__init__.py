"""The IR of what Python's own parser reads, which is nearly everything."""
