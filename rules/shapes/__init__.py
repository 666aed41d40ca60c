"""Rules of the shapes family."""
