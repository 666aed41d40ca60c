"""AOTI332."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Outcome, Path, Related, Span, VersionSet
from aoti_lint.rule.events import ExportEvent
from aoti_lint.rule.inputs import Beside, aligned, span_of
from aoti_lint.rule.shapes import dense, in_rows, integer
from aoti_lint.rule.values import TRUE, Device, Program, Tensor, Value

from ._calls import Called, CallRule, Fault, differ, is_used, made_elsewhere, sizes

GUARDED = VersionSet.since("2.13")
"""Releases whose `ep.module()` was seen to check strides."""
OPEN = frozenset({"AUTO", "DYNAMIC"})
IN_ORDER = frozenset({
    "AdaptiveAvgPool2d", "BatchNorm1d", "BatchNorm2d", "Embedding", "Flatten", "GELU", "GRU", "GroupNorm", "LayerNorm",
    "MaxPool2d", "ReLU", "TransformerEncoderLayer",
})  # fmt: skip
"""Layers of which a kernel that was compiled for the example reads the input. `Conv1d` and `Conv3d` look at strides."""
IN_ORDER_ON_CPU = frozenset({"Conv2d", "ConvTranspose2d"})


class InputOfOtherStrides(CallRule):
    """A program is called with a tensor that lies in memory otherwise than its example input did.

    What happens:
        Of a package, nothing checks it. Kernels that were compiled for a contiguous input walk through the memory as if
        it were one: of a transposed tensor they take the rows for the columns. Operators of torch that the package
        calls look at the strides themselves, so that a model which begins with one may be right: a linear layer on two
        dimensions, a one-dimensional convolution. One that begins with a norm, an activation, a two-dimensional
        convolution on the CPU, or a linear layer on three dimensions, is wrong. With `AOTI_RUNTIME_CHECK_INPUTS=1`
        (torch 2.7 and later): `input_handles[0]: unmatched stride value at 0, expected: 4, but got: 1`.
        `ep.module()` takes any strides, but for one case: where the example was a part of something larger, such as
        `x[::2]` or `x[:, :4]`, and a size of it is open, it was traced for a tensor with gaps, and a contiguous one
        raises `AssertionError: Guard failed: x.stride()[0] != 4`.

    Why:
        The strides of every input are taken from the example inputs at export and compiled in. `.t()`, `.T`,
        `transpose`, `permute`, `expand`, steps in a slice, and slices of all but the first dimension give a view with
        others, and so does `channels_last`. Arithmetic keeps them: an image of height, width and colours that is
        permuted still lies so after `.float() / 255`, and so does `torch.from_numpy(image.transpose(2, 0, 1))`.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x * 2

        program = torch.export.export(Net(), (torch.randn(4, 4),))
        path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
        run = torch._inductor.aoti_load_package(path)
        run(torch.arange(16.0).reshape(4, 4).t())  # <- AOTI332

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x * 2

        program = torch.export.export(Net(), (torch.randn(4, 4),))
        path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
        run = torch._inductor.aoti_load_package(path)
        run(torch.arange(16.0).reshape(4, 4).t().contiguous())

    How to debug:
        Run once with `AOTI_RUNTIME_CHECK_INPUTS=1` in the environment of the process that calls the model, set before
        its first call.

    Sources:
        Run on torch 2.13, with and without the check: `t`, `T`, `permute`, `expand`, slices with and without steps;
        models that begin with each of 17 layers, on the CPU. Of `ep.module()` 20 kinds of views, with `Dim`, `Dim.AUTO`
        and `Dim.DYNAMIC`, strict or not.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI332"
    name = "input-of-other-strides"
    doubt = "it is not known whether the compiled code reads the input in order"

    def faults(self, called: Called, program: Program, path: Path) -> Iterator[Fault]:
        export = called.facts.export_of(program)
        # Of these AOTI301 tells, and what would lie so is not known.
        others = {
            part.name for part, one, index, size in sizes(called, program)
            if one.freedom(program, index) == "static" and differ([(one.tensor.shape or ())[index], size])
        }  # fmt: skip
        for part in aligned(program, called.event):
            if not isinstance(part, Beside) or not is_used(program, part.name) or part.name in others:
                continue
            if not isinstance(part.example, Tensor) or not isinstance(part.given, Tensor):
                continue
            place = span_of(called.event, part.place)
            if not called.packaged:
                if _is_open(export, program, part.name) and in_rows(part.given):
                    yield from _guarded(program, part.name, part.example, part.given, place)
                continue
            found = _first_other(part.example, part.given, _is_open(export, program, part.name))
            if found is None:
                continue
            dim, wanted, got = found
            effect = "the call raises" if called.raises else "nothing checks it, kernels read it as the example lay"
            help_ = (
                "call it with x.contiguous()" if in_rows(part.example) else "bring it into the example's strides first"
            )
            yield Fault(
                part.name,
                place,
                f"{part.name} has stride {got} in dimension {dim}, and the export was made for {wanted}: {effect}",
                f"stride {got} here",
                help_.replace("x.", f"{part.name}." if part.name.isidentifier() else "."),
                called.outcome,
                Confidence.CERTAIN if called.raises else _sure(program, part.name, part.example),
                (Related(program.span, f"exported with stride {wanted} here"), *made_elsewhere(part.given, place)),
            )


def _is_open(export: ExportEvent | None, program: Program, name: str) -> bool:
    """Whether an input has sizes of which an export finds out by itself how they lie in memory."""
    if export is None:
        return False
    dims = [one.dim for one in export.open_sizes if one.name == name]
    return any(dim.kind in OPEN for dim in dims) or (bool(dims) and program.strict == TRUE)


def _guarded(program: Program, name: str, example: Tensor, given: Tensor, place: Span) -> Iterator[Fault]:
    """A call with a tensor without gaps, where the program was traced for one that has them."""
    dim = _first_gap(example)
    if dim is None or given.shape is None or example.shape is None or len(given.shape) != len(example.shape):
        return
    yield Fault(
        name,
        place,
        f"{name} lies in memory without gaps, and its example input had them in dimension {dim}: the call raises",
        "no gaps here",
        "end what makes the example input in .contiguous()",
        Outcome.RAISES_AT_CALL,
        Confidence.CERTAIN,
        (Related(program.span, "exported with gaps here"), *made_elsewhere(given, place)),
        failing=GUARDED,
    )


def _first_gap(example: Tensor) -> int | None:
    """The last dimension after whose step elements are left out, where the last of all lies one after the other."""
    if example.shape is None or example.strides is None or example.strides[-1:] != (1,):
        return None
    lengths = [length for size in example.shape if (length := integer(size)) is not None]
    if len(lengths) != len(example.shape) or min(lengths, default=0) < 2:
        return None
    for dim in range(len(lengths) - 2, -1, -1):
        stride, step = example.strides[dim], lengths[dim + 1] * (example.strides[dim + 1] or 0)
        if stride is None or stride < step:
            return None
        if stride > step:
            return dim
    return None


def _sure(program: Program, name: str, example: Tensor) -> Confidence:
    """How sure it is that a compiled kernel reads the input itself, not an operator that looks at its strides."""
    parameter = name.partition("[")[0].partition(".")[0]
    given_to = [layer for one, layer in program.layers if one == parameter]
    calculated = dict(program.mentioned).get(parameter, not given_to)
    read = calculated or any(_reads(layer, example) for layer in given_to)
    return Confidence.LIKELY if read else Confidence.POSSIBLE


def _reads(layer: str, example: Tensor) -> bool:
    if layer == "Linear":
        return len(example.shape or ()) > 2
    return layer in IN_ORDER or (layer in IN_ORDER_ON_CPU and example.device == Device("cpu"))


def _first_other(example: Tensor, given: Tensor, open_gaps: bool) -> tuple[int, int, int] | None:
    """The first dimension whose stride is not what the compiled code takes it for: its index, that, and what it is.

    Of a dimension of size 1 or less, or of unknown size, the stride says nothing.
    """
    shape, strides = given.shape, given.strides
    if shape is None or strides is None or example.shape is None or len(shape) != len(example.shape):
        return None
    wanted = dense(shape) if in_rows(example) else _taken_for(example, shape, open_gaps)
    for dim, (size, one, other) in enumerate(zip(shape, wanted or (), strides, strict=False)):
        if (integer(size) or 0) > 1 and one is not None and other is not None and one != other:
            return dim, one, other
    return None


def _taken_for(example: Tensor, shape: tuple[Value, ...], open_gaps: bool) -> list[int | None] | None:
    """The strides that a tensor of this shape has to have, after an example that lies in another way than in rows.

    A stride that is a product of other sizes and strides is worked out of those; any other stays what it is, or is
    open with `open_gaps` (`_compute_symbolic_stride` in `torch/fx/experimental/symbolic_shapes.py` of release 2.13.0).
    """
    lengths, strides = [integer(one) for one in example.shape or ()], example.strides or ()
    known = [(stride, -dim) for dim, stride in enumerate(strides) if stride is not None]
    if not known or len(known) < len(lengths) or None in lengths:
        return None
    found: list[int | None] = [None] * len(known)
    products: dict[int, int | None] = {}
    for stride, back in sorted(known):
        dim = -back
        of_others = stride > 1 and stride in products
        found[dim] = products[stride] if of_others else None if open_gaps and stride > 1 else stride
        one, size = found[dim], integer(shape[dim])
        products[stride * (lengths[dim] or 0)] = None if one is None or size is None else one * size
    return found
