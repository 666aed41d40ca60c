"""What running code does beside its values: imports of torch, calls rules look at, folders, gradients, settings."""
