"""Rules of the device family."""
