"""A compiled package: its metadata, the source of its wrapper, its library."""
