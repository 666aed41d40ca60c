from .dims import spec_for
from .net import Runoff

__all__ = ["Runoff", "spec_for"]
