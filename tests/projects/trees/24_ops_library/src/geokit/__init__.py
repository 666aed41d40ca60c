"""Operators for polygons. Importing the package registers everything."""
from . import ops as _ops  # noqa: F401
from ._meta import fakes as _fakes  # noqa: F401
from .layers import CentroidShift

__all__ = ["CentroidShift"]
