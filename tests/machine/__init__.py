"""The state of an abstract run, and how nested runs take it back."""
