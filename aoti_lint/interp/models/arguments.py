"""Command-line options: each is a symbol with its default and its known values."""
