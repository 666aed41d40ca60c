"""What the other commands found, for people."""
