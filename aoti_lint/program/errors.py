"""What is raised for a file that cannot be read."""

from __future__ import annotations


class Unreadable(Exception):
    """The file is broken, hostile, too large to look into, or of another kind; the message is for the user."""
