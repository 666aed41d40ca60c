"""Files of the user as the process sees them: what it may change is a copy."""
