"""What a forward asks of the values in tensors, which tracing does not have."""
