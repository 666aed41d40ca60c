"""Custom operators: what defines them, their kernels and fakes, and their calls."""

from __future__ import annotations

from dataclasses import dataclass

from tests.random_scripts.body import Body
from tests.random_scripts.draw import Draw
from tests.random_scripts.inputs import Size


@dataclass(frozen=True)
class Kind:
    """An operator of one tensor and at most one number."""

    schema: str
    annotated: str
    kernel: tuple[str, ...]
    fakes: tuple[tuple[str, ...], ...]
    call: str
    dims: str
    """`same`, `rows` (without the last), `half` (of the last), `last` (the number is the last)."""


KINDS = (
    Kind(
        "(Tensor x) -> Tensor",
        "(x: torch.Tensor) -> torch.Tensor",
        ("return torch.relu(x) + 1",),
        (
            ("return torch.empty_like(x)",),
            ("return x.new_empty(x.shape)",),
            ("return torch.empty(x.shape, dtype=x.dtype, device=x.device)",),
            ("return torch.relu(x)",),
            ("return x.new_empty(x.size())",),
            ("return x.clone()",),
            ("return torch.zeros_like(x)",),
        ),
        "{}({})",
        "same",
    ),
    Kind(
        "(Tensor x, float factor) -> Tensor",
        "(x: torch.Tensor, factor: float) -> torch.Tensor",
        ("return x * factor",),
        (
            ("return torch.empty_like(x)",),
            ("return x * factor",),
            ("return torch.empty_like(x, memory_format=torch.preserve_format)",),
        ),
        "{}({}, 0.5)",
        "same",
    ),
    Kind(
        "(Tensor x) -> Tensor",
        "(x: torch.Tensor) -> torch.Tensor",
        ("return x.sum(-1)",),
        (
            ("return x.new_empty(x.shape[:-1])",),
            ("return x.sum(-1)",),
            ("return torch.empty(x.shape[:-1], dtype=x.dtype, device=x.device)",),
            ("shape = list(x.shape)", "shape.pop()", "return x.new_empty(shape)"),
        ),
        "{}({})",
        "rows",
    ),
    Kind(
        "(Tensor x) -> Tensor",
        "(x: torch.Tensor) -> torch.Tensor",
        ("n = x.shape[-1] // 2", "return x[..., :n].clone()"),
        (
            ("return x.new_empty(*x.shape[:-1], x.shape[-1] // 2)",),
            ("n = x.size(-1) // 2", "return x.new_empty((*x.shape[:-1], n))"),
            (
                "shape = list(x.shape)",
                "shape[-1] = shape[-1] // 2",
                "return torch.empty(shape, dtype=x.dtype, device=x.device)",
            ),
        ),
        "{}({})",
        "half",
    ),
    Kind(
        "(Tensor x, int n) -> Tensor",
        "(x: torch.Tensor, n: int) -> torch.Tensor",
        ("return x.mean(-1, keepdim=True).repeat(*[1] * (x.dim() - 1), n)",),
        (
            ("return x.new_empty((*x.shape[:-1], n))",),
            ("return torch.empty(*x.shape[:-1], n, dtype=x.dtype, device=x.device)",),
        ),
        "{}({}, 4)",
        "last",
    ),
    Kind(
        "(Tensor x, SymInt n) -> Tensor",
        "(x: torch.Tensor, n: int) -> torch.Tensor",
        ("return x + n",),
        (("return torch.empty_like(x)",),),
        "{0}({1}, {1}.shape[0])",
        "same",
    ),
    Kind(
        "(Tensor x) -> (Tensor, Tensor)",
        "(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]",
        ("return x * 2, x.abs().amax(-1)",),
        (
            ("return torch.empty_like(x), x.new_empty(x.shape[:-1])",),
            ("a = torch.empty_like(x)", "return a, a[..., 0].clone()"),
        ),
        "{}({})[0]",
        "same",
    ),
    Kind(
        "(Tensor[] xs) -> Tensor",
        "(xs: list[torch.Tensor]) -> torch.Tensor",
        ("return torch.stack(xs).sum(0)",),
        (("return torch.empty_like(xs[0])",), ("return xs[0].new_empty(xs[0].shape)",)),
        "{0}([{1}, {1} + 1])",
        "same",
    ),
    Kind(
        "(Tensor x, bool flip=False) -> Tensor",
        "(x: torch.Tensor, flip: bool = False) -> torch.Tensor",
        ("return x.flip(-1) if flip else x.clone()",),
        (("return torch.empty_like(x)",),),
        "{}({}, True)",
        "same",
    ),
    Kind(
        "(Tensor x, Tensor? bias=None) -> Tensor",
        "(x: torch.Tensor, bias: Optional[torch.Tensor] = None) -> torch.Tensor",
        ("return x + 1 if bias is None else x + bias",),
        (("return torch.empty_like(x)",),),
        "{}({})",
        "same",
    ),
    Kind(
        "(Tensor(a!) x) -> ()", "(x: torch.Tensor) -> None", ("x.add_(1)",), (("return None",), ("pass",)), "", "same"
    ),
)

WRONG = (
    ("return x.new_empty(x.shape[0], 3)",),
    ("return torch.empty_like(x, dtype=torch.float64)",),
    ("return x",),
    ("return torch.empty(2, 8)",),
    ("return x.new_empty(int(x.shape[0]), *x.shape[1:])",),
)
"""Fakes as they are written by mistake."""


class Op:
    """An operator of a script."""

    def __init__(self, draw: Draw) -> None:
        self.draw, self.kind = draw, draw.one(KINDS)
        self.space, self.name = (
            draw.pick("mylib", "demo", "my_ops", "acme"),
            draw.pick("fused_op", "scale", "twist", "my_op"),
        )
        self.fake = draw.one(WRONG if draw.chance(0.04) else self.kind.fakes)
        self.has_fake = draw.chance(0.95)
        self.python = draw.pick("custom_op", "custom_op", "library", "define")
        self.function = f"{self.name}_{draw.pick('kernel', 'impl', 'cpu')}"
        self.called = False
        """Whether a model calls it."""
        mutates = "!" in self.kind.schema
        self.mutated = '("x",)' if mutates else "()"

    def lines(self) -> list[str]:
        """What defines it."""
        full, kernel = f"{self.space}::{self.name}", [f"    {line}" for line in self.kind.kernel]
        parameters = self._parameters()
        fake_name = self.draw.pick("_", "fake", f"{self.name}_fake", f"{self.name}_meta")
        fake = [f"def {fake_name}({parameters}):", *(f"    {line}" for line in self.fake)]
        if self.python == "custom_op":
            quick = self.kind.schema if self.draw.chance(0.15) else ""
            more = f', schema="{quick}"' if quick else ""
            devices = self.draw.pick("", "", ', device_types="cpu"')
            lines = [
                f'@torch.library.custom_op("{full}", mutates_args={self.mutated}{more}{devices})',
                f"def {self.name}{self.kind.annotated}:",
                *kernel,
                "",
            ]
            if self.has_fake:
                how = self.draw.pick(f"{self.name}.register_fake", f'torch.library.register_fake("{full}")')
                lines += [f"@{how}", *fake, ""]
            return lines
        key = self.draw.pick("CPU", "CompositeExplicitAutograd")
        if self.python == "library":
            lines = [
                f'{self.draw.pick("lib", "LIB", "_lib")} = torch.library.Library("{self.space}", '
                f'"{self.draw.pick("DEF", "FRAGMENT")}")'
            ]
            lib = lines[0].partition(" ")[0]
            lines += [
                f'{lib}.define("{self.name}{self.kind.schema}")',
                "",
                f"def {self.function}({parameters}):",
                *kernel,
                "",
                self.draw.pick(
                    f'{lib}.impl("{self.name}", {self.function}, "{key}")',
                    f'torch.library.impl({lib}, "{self.name}", "{key}")({self.function})',
                ),
                "",
            ]
            if self.has_fake:
                lines += self.draw.pick(
                    [f'@torch.library.register_fake("{full}")', *fake, ""],
                    [f'@torch.library.impl({lib}, "{self.name}", "Meta")', *fake, ""],
                    [*fake, f'{lib}.impl("{self.name}", {fake_name}, "Meta")', ""],
                    [f'@torch.library.register_fake("{full}", lib={lib})', *fake, ""],
                )
            return lines
        lines = [
            f'torch.library.define("{full}", "{self.kind.schema}")',
            "",
            f'@torch.library.impl("{full}", "{self.draw.pick("cpu", "CPU", "default", "CompositeExplicitAutograd")}")',
            f"def {self.function}({parameters}):",
            *kernel,
            "",
        ]
        if self.has_fake:
            lines += [f'@torch.library.register_fake("{full}")', *fake, ""]
        return lines

    def _parameters(self) -> str:
        inside = self.kind.annotated[1 : self.kind.annotated.index(") ->")]
        parts = [one.strip() for one in inside.split(",")]
        return ", ".join(
            f"{one.partition(':')[0]}{'=' + one.partition('=')[2].strip() if '=' in one else ''}" for one in parts
        )

    def apply(self, body: Body) -> None:
        """Call it in a forward."""
        if self.kind.dims in ("half", "last", "rows") and (body.rank < 2 or not body.last or body.last % 2):
            return
        self.called = True
        called = self.draw.pick(f"torch.ops.{self.space}.{self.name}", f"torch.ops.{self.space}.{self.name}.default")
        if self.python == "custom_op" and self.draw.chance(0.4):
            called = self.name
        if not self.kind.call:
            body.say(f"{body.x} = {body.x}.clone()", f"{called}({body.x})")
            return
        dims: list[Size] = list(body.dims)
        match self.kind.dims:
            case "rows":
                dims = dims[:-1]
            case "half":
                dims[-1] = body.last // 2
            case "last":
                dims[-1] = 4
        body.set(self.kind.call.format(called, body.x), dims)
