"""Rules of the ops family."""
