"""Structured configuration: each recipe names the class it builds."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Data:
    batch: int = 4
    length: int = 96
    max_length: int = 128


@dataclass
class Recipe:
    target: str
    params: dict[str, Any] = field(default_factory=dict)
    data: Data = field(default_factory=Data)


RECIPES = {
    "tagger": Recipe("models.Tagger", {"width": 16}, Data(length=128)),
    "ranker": Recipe("models.Ranker", {"width": 24}, Data(length=200)),
}
