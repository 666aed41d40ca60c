"""Comparing device types."""

from __future__ import annotations

from aoti_lint.interp.values import Device, Value


def differ(values: list[Value]) -> bool | None:
    """Whether two devices are of different types; None if either is not known."""
    first, second = values
    if isinstance(first, Device) and isinstance(second, Device):
        return first.type != second.type
    return None if first != second else False
