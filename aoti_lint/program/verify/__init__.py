"""Runs a compiled package against the program it came from, on inputs generated from their contract."""
