"""Built-in layers of `torch.nn`."""
