"""Why no script can be written."""

from __future__ import annotations


class NoRepro(Exception):
    """A launch cannot be run alone; the text says why."""
