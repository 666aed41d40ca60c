"""Reads what one process left behind: its events, its log, what tools print, tensors that were saved."""
