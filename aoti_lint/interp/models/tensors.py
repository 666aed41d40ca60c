"""What every tensor has: sizes, dtype and device, moves and casts, and arithmetic with others."""
