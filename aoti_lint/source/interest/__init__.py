"""What a file speaks of, and so whether it can matter; told from its bytes, then its names, then its code."""
