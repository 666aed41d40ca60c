"""Devices, gradients, precision, compilation and settings of torch."""
