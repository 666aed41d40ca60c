"""What a model takes: its parameters, and the tensors and numbers that calls give for them."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.random_scripts.draw import Draw, Scope
from tests.random_scripts.made import by_way

Size = int | str
"""A fixed size, or the name of one that calls may change: `b`, `t`."""


@dataclass(frozen=True)
class Tensor:
    """A tensor input."""

    dims: tuple[Size, ...]
    dtype: str = "float32"
    high: int = 0
    """One more than the largest index in a tensor of indices."""


@dataclass(frozen=True)
class Group:
    """A container of inputs. `kind` is `dict`, `tuple` or `list`; `keys` are those of a dict."""

    kind: str
    items: tuple[Tensor, ...]
    keys: tuple[str, ...] = ()


@dataclass(frozen=True)
class Plain:
    """An input that is no tensor, with the text of its value."""

    value: str


Value = Tensor | Group | Plain


@dataclass
class Parameter:
    """A parameter of `forward`."""

    name: str
    value: Value
    default: str | None = None
    given: str = "position"
    """How calls give it: by `position`, by `name`, or `never`."""


@dataclass
class Signature:
    """All that a model takes, and the sizes of its example."""

    parameters: list[Parameter]
    sizes: dict[str, int] = field(default_factory=dict)

    @property
    def positional(self) -> list[Parameter]:
        return [one for one in self.parameters if one.given == "position"]

    @property
    def named(self) -> list[Parameter]:
        return [one for one in self.parameters if one.given == "name"]

    @property
    def header(self) -> str:
        """The parameters as `forward` declares them."""
        return ", ".join(one.name if one.default is None else f"{one.name}={one.default}" for one in self.parameters)


SOMETIMES_OTHER = 0.04
FACTORIES = tuple(f"torch.{name}(" for name in ("randn", "rand", "zeros", "ones", "full", "randint", "empty", "arange"))


class Maker:
    """Writes the values of inputs."""

    def __init__(self, draw: Draw, scope: Scope) -> None:
        self.draw, self.scope = draw, scope
        self.device = ""
        """The variable that holds the device of the tensors, if there is one."""

    def value(self, value: Value, sizes: dict[str, int]) -> str:
        match value:
            case Tensor():
                return self.tensor(value, sizes)
            case Plain(text):
                return text
            case Group(kind="dict"):
                pairs = zip(value.keys, value.items, strict=True)
                return "{" + ", ".join(f'"{key}": {self.tensor(one, sizes)}' for key, one in pairs) + "}"
            case Group(kind=kind):
                items = ", ".join(self.tensor(one, sizes) for one in value.items)
                comma = "," if kind == "tuple" and len(value.items) == 1 else ""
                return f"({items}{comma})" if kind == "tuple" else f"[{items}]"

    def tensor(self, tensor: Tensor, sizes: dict[str, int]) -> str:
        """An expression that gives such a tensor where the model is."""
        made = self._made(tensor, sizes)
        if not self.device:
            return made
        if made.startswith(FACTORIES) and made.endswith(")") and ")." not in made and self.draw.chance(0.5):
            return f"{made[:-1]}, device={self.device})"
        return f"({made}).to({self.device})" if " " in made and not made.endswith(")") else f"{made}.to({self.device})"

    def _made(self, tensor: Tensor, sizes: dict[str, int]) -> str:
        draw = self.draw
        dims = [sizes[one] if isinstance(one, str) else one for one in tensor.dims]
        if dims and draw.chance(SOMETIMES_OTHER / 4):
            dims[draw.number(0, len(dims) - 1)] += draw.pick(-1, 1, 2)
        shape = ", ".join(self.scope.text(size) for size in dims)
        if tensor.high:
            dtype = draw.pick("", "", ", dtype=torch.long", ", dtype=torch.int64")
            dtype = ", dtype=torch.int32" if tensor.dtype == "int32" else dtype
            comma = "," if len(dims) == 1 else ""
            return f"torch.randint(0, {tensor.high}, ({shape}{comma}){dtype})"
        if tensor.dtype == "bool":
            return draw.pick(f"torch.ones({shape}, dtype=torch.bool)", f"torch.rand({shape}) > 0.5")
        dtype = "" if tensor.dtype == "float32" else f", dtype=torch.{tensor.dtype}"
        if draw.chance(SOMETIMES_OTHER / 4):
            dtype = draw.pick(", dtype=torch.float64", ", dtype=torch.bfloat16")
        if len(dims) >= 2 and draw.chance(0.05):
            turned = ", ".join(str(size) for size in (*dims[:-2], dims[-1], dims[-2]))
            return draw.pick(
                f"torch.randn({turned}{dtype}).transpose(-1, -2)",
                f"torch.randn({turned}{dtype}).mT",
                f"torch.randn({turned}{dtype}).transpose(-2, -1).contiguous()",
            )
        if dims and min(dims) > 0 and draw.chance(0.2):
            return by_way(draw, self.scope, dims, dtype)
        if len(dims) == 4 and draw.chance(0.08):
            return f"torch.randn({shape}{dtype}).to(memory_format=torch.channels_last)"
        return draw.weighted(
            (8, f"torch.randn({shape}{dtype})"),
            (2, f"torch.randn(({shape}{',' if len(dims) == 1 else ''}){dtype})"),
            (1, f"torch.rand({shape}{dtype})"),
            (1, f"torch.zeros({shape}{dtype})"),
            (1, f"torch.ones([{shape}]{dtype})"),
            (0.5, f"torch.full(({shape}{',' if len(dims) == 1 else ''}), 0.5{dtype})"),
            (0.5, f"torch.empty({shape}{dtype}).uniform_()"),
            (0.5, f"torch.randn(*[{shape}]{dtype})"),
            (0.5, f"torch.randn(torch.Size([{shape}]){dtype})"),
        )
