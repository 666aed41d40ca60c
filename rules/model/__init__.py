"""What happens in the model: its mode, its state, the context it is exported in."""
