"""Paths: `pathlib`, `os.path` and temporary folders, and when two paths name one file."""
