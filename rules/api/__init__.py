"""Rules of the api family."""
