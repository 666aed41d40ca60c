"""What becomes of what rules find: the finding of a place, with its fingerprint, unless it is suppressed."""
