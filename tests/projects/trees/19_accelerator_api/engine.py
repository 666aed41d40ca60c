import torch


def pick():
    """torch.accelerator is there since 2.6."""
    if torch.accelerator.is_available():
        return torch.accelerator.current_accelerator()
    return torch.device("cpu")


DEVICE = pick()
PACKAGE = f"prune_{DEVICE.type}.pt2"
