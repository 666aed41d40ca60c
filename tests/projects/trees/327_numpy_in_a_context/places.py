from contextlib import contextmanager

import torch


@contextmanager
def on(device):
    """Tensors and modules that are made inside are on this device."""
    with torch.device(device):
        yield torch.device(device)
