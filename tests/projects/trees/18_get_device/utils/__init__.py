from .device import get_device, to_device

__all__ = ["get_device", "to_device"]
