"""Files of weights: what they hold, and whether that is what a compiled model wants."""
