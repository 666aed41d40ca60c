"""`torch.nn.Module`: layers, weights, moves and modes."""
