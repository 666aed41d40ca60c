"""What runs in the child: it needs torch, and loads and calls what the user made."""
