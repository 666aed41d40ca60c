"""Files on disk: one bounded way to read them, one atomic way to write them."""
