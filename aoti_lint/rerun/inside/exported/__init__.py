"""Exported programs, run again in the process beside what was compiled from them."""
