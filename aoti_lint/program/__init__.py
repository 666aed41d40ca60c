"""Exported programs and compiled packages, read without torch: nothing in them is unpickled or executed."""
