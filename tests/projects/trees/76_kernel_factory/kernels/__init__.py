from .registry import kernel
from .basic import clip_norm, ramp

__all__ = ["clip_norm", "kernel", "ramp"]
