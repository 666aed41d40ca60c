"""From what the files and the child say to the space the planner works in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aoti_lint.program import facts
from aoti_lint.program.errors import Unreadable
from aoti_lint.program.symbolic import Expr, parse
from aoti_lint.program.verify.indices import limits
from aoti_lint.program.verify.protocol import Example, Opened
from aoti_lint.program.verify.space import Input, Space, expressions, solve


def of_program(program: facts.Program, opened: Opened, device: str | None) -> Space:
    """The contract of a program. Raises `Unreadable` for one with inputs that cannot be made up."""
    below = limits(program)
    examples = opened.leaves if len(opened.leaves) == len(program.inputs) else ()
    inputs = [_input(item, below.get(item.name, ()), examples[index] if examples else None, device)
              for index, item in enumerate(program.inputs)]  # fmt: skip
    guards = tuple(guard for text in program.guards if (guard := _guard(text)) is not None)
    return _space(inputs, program, guards, examples)


def of_package(package: facts.Package, opened: Opened, device: str | None) -> Space:
    """The contract of a package, for want of the program: its tensors, and the Python values of the example.

    Raises `Unreadable` when the example has other tensors.
    """
    given = iter(package.inputs)
    inputs: list[Input] = []
    leaves = opened.leaves or tuple(Example(kind="tensor") for _ in package.inputs)
    if sum(leaf.kind == "tensor" for leaf in leaves) != len(package.inputs):
        raise Unreadable(
            f"the package takes {len(package.inputs)} tensors, the example arguments have "
            f"{sum(leaf.kind == 'tensor' for leaf in leaves)}: they are not of the same model"
        )
    if opened.arguments != len(leaves):
        raise Unreadable(
            "a package does not record the Python values it was exported with; let the function of --script return "
            "(module, args) or (module, args, kwargs), or name the program with --program"
        )
    for index, leaf in enumerate(leaves):
        if leaf.kind == "tensor":
            found = _input(next(given), (), leaf if opened.leaves else None, device)
            inputs.append(replace(found, path=opened.paths[index]) if opened.paths else found)
        else:
            inputs.append(Input(path=opened.paths[index] if opened.paths else f"args[{index}]", value=leaf.value))
    return _space(inputs, package, (), opened.leaves)


def _space(
    inputs: Sequence[Input], model: facts.Program | facts.Package, guards: tuple[Expr, ...], examples: Sequence[Example]
) -> Space:
    base = solve((item.shape, leaf.shape) for item, leaf in zip(inputs, examples, strict=False)
                 if item.shape is not None and leaf.kind == "tensor")  # fmt: skip
    fits = bool(examples) and all(leaf.kind != "object" for leaf in examples)
    return Space(tuple(inputs), model.dims, guards, example=fits, base=base)


def _input(item: facts.Input, below: tuple[facts.Size, ...], example: Example | None, device: str | None) -> Input:
    if item.kind in ("object", "unknown"):
        raise Unreadable(f"{item.path} is neither a tensor nor a plain value; such an input cannot be made up")
    if item.kind == "symbol":
        symbol = parse(item.value) if isinstance(item.value, str) else None
        return Input(path=item.path, symbol=symbol, value=None if symbol is not None else item.value)
    tensor = item.tensor
    if item.kind != "tensor":
        return Input(path=item.path, value=item.value)
    if tensor is None:
        raise Unreadable(f"the file does not say what tensor {item.path} is")
    if tensor.layout != "strided":
        raise Unreadable(f"{item.path} is a {tensor.layout} tensor; only strided ones can be made up")
    return Input(
        path=item.path,
        dtype=tensor.dtype,
        shape=expressions(tensor.shape),
        strides=expressions(tensor.strides) if tensor.strides is not None else None,
        device=device or tensor.device or "cpu",
        below=expressions(below),
        high=2 if example is None or example.high is None else max(example.high + 1, 2),
    )


def _guard(text: str) -> Expr | None:
    try:
        return parse(text)
    except Unreadable:
        return None
