"""Inputs for operators, as `--inputs` takes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch


def inputs() -> Iterator[tuple[Any, ...]]:
    """One call of one operator."""
    yield "hostile::picky", (torch.randn(5), "abracadabra")
