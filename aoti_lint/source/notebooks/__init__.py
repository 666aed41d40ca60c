"""Notebooks as Python texts."""
