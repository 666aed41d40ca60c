"""Fakes and kernels of custom ops, tried beside each other: where they differ, and what a fake would have to say."""
