"""A `forward` while it is written: its lines, and what the tensor it works on is by then."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.random_scripts.draw import Draw, Scope
from tests.random_scripts.inputs import Size


@dataclass
class Body:
    """The lines of `__init__` and `forward`; `dims` are the sizes of the tensor called `x` there."""

    draw: Draw
    dims: list[Size]
    x: str = "x"
    float_: bool = True
    in_init: Scope = field(init=False)
    in_forward: Scope = field(init=False)
    init: list[str] = field(default_factory=list)
    forward: list[str] = field(default_factory=list)
    helpers: list[str] = field(default_factory=list)
    """What stands before the class."""
    extra: list[str] = field(default_factory=list)
    """Further results, by name."""
    bound: dict[str, str] = field(default_factory=dict)
    """Names in `forward` that hold a size."""
    sizes: dict[str, int] = field(default_factory=dict)
    _count: int = 0

    def __post_init__(self) -> None:
        self.in_init, self.in_forward = Scope(self.draw), Scope(self.draw)

    def fresh(self, stem: str) -> str:
        self._count += 1
        return f"{stem}{self._count}"

    @property
    def rank(self) -> int:
        return len(self.dims)

    @property
    def last(self) -> int:
        """The last size where it is fixed, or 0."""
        return self.dims[-1] if self.dims and isinstance(self.dims[-1], int) else 0

    def say(self, *lines: str) -> None:
        self.forward += lines

    def set(self, expression: str, dims: list[Size] | None = None) -> None:
        """Make the tensor what the expression gives."""
        if self.draw.chance(0.2):
            self.x = self.draw.pick("x", "h", "out", "hidden", "y")
        self.forward.append(f"{self.x} = {expression}")
        if dims is not None:
            self.dims = dims

    def size(self, dim: int) -> str:
        """The size of one dimension as `forward` may write it."""
        size = self.dims[dim]
        if isinstance(size, int) and self.draw.chance(0.6):
            return self.in_forward.text(size)
        if isinstance(size, str) and size in self.bound and self.draw.chance(0.7):
            return self.bound[size]
        index = dim - self.rank if dim >= 0 and self.draw.chance(0.2) else dim
        return self.draw.weighted(
            (4, f"{self.x}.shape[{index}]"), (3, f"{self.x}.size({index})"), (0.5, f"{self.x}.size()[{index}]")
        )

    def layer(self, expression: str, stem: str = "layer") -> str:
        """An attribute that holds what the expression makes; its name with `self.`."""
        name = self.fresh(stem)
        self.init.append(f"self.{name} = {expression}")
        return f"self.{name}"
