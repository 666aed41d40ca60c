"""Runs one process of the user, and keeps the folder of all that came out."""
