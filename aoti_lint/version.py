"""The version of aoti-lint, for all that writes it down: it stands where nothing else is imported."""

__version__ = "0.1.0"
