"""What the pickle machine builds: plain data, and descriptions of everything it would have to run code for.

`None`, `bool`, `int`, `float`, `str`, `tuple` and `list` stand for themselves. Values can be nested as deep as a
hostile file likes and lists can hold themselves, so nothing here may walk into them without a bound.
"""

from __future__ import annotations

from dataclasses import dataclass, field

Value = object


@dataclass(slots=True, eq=False, repr=False)
class Dict:
    """A dict or OrderedDict. Only keys that are strings or numbers are kept; `dropped` counts the others."""

    items: dict[str | int | float | bool | None, Value] = field(default_factory=dict)
    dropped: int = 0

    def put(self, key: Value, value: Value) -> None:
        if key is None or isinstance(key, (str, int, float)):
            self.items[key] = value
        else:
            self.dropped += 1


@dataclass(slots=True, eq=False, repr=False)
class Global:
    """A name that unpickling would import."""

    module: str
    name: str

    @property
    def path(self) -> str:
        return f"{self.module}.{self.name}"


@dataclass(slots=True, eq=False, repr=False)
class Opaque:
    """A value that only code could make; `what` says which ("an object of numpy.ndarray")."""

    what: str


@dataclass(slots=True, eq=False, repr=False)
class Storage:
    """A storage of torch that lies in another member of the archive; `count` is of elements of `dtype`."""

    dtype: str
    key: str
    location: str
    count: int


@dataclass(slots=True, eq=False, repr=False)
class Device:
    """A `torch.device`."""

    text: str


@dataclass(slots=True, eq=False, repr=False)
class SavedTensor:
    """A tensor as its rebuild function would make it. `storage` is None where it has none of its own, or several."""

    dtype: str
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None
    device: str | None
    offset: int = 0
    storage: Storage | None = None
    layout: str = "strided"
    requires_grad: bool = False
    what: str = "tensor"
