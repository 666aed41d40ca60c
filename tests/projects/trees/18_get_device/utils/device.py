import logging
import os

import torch

log = logging.getLogger(__name__)


def get_device() -> torch.device:
    """The best device there is; FORCE_CPU=1 says otherwise."""
    if os.environ.get("FORCE_CPU") == "1":
        return torch.device("cpu")
    if torch.cuda.is_available():
        return torch.device("cuda", torch.cuda.current_device())
    if torch.backends.mps.is_available():
        return torch.device("mps")
    log.warning("no accelerator, this will be slow")
    return torch.device("cpu")


def to_device(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device, non_blocking=True)
    if isinstance(batch, dict):
        return {key: to_device(value, device) for key, value in batch.items()}
    return type(batch)(to_device(item, device) for item in batch)
