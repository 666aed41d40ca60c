"""Holds what the reader says of an archive against what torch itself said after loading it.

Beside each archive `X.pt2` stands `X.view.json`, which torch of the release that wrote it made, in a process of its
own. `python -m tests.program.views FOLDER…` prints where the two differ.
"""

from __future__ import annotations

import json
import math
import random
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from aoti_lint.program import facts
from aoti_lint.program.read import read
from aoti_lint.program.symbolic import Const, Expr, Symbol, evaluate, parse, symbols
from aoti_lint.program.treespec import parse_treespec

View = dict[str, Any]


def disagreements(archive: facts.Archive, view: View) -> list[str]:
    """Where `archive` and what torch said of the same file differ; empty if they agree."""
    return list(_archive(archive, view))


def _archive(archive: facts.Archive, view: View) -> Iterator[str]:
    programs = {program.name: program for program in archive.programs}
    packages = {package.name: package for package in archive.packages}
    if "exported_programs" in view:
        yield from _same("names of programs", sorted(programs), sorted(view["exported_programs"]))
        yield from _same("names of packages", sorted(packages), sorted(view["aoti_runners"]))
        yield from _same("extra files", sorted(archive.extra_files), sorted(view["extra_files"]))
        for name, inner in view["exported_programs"].items():
            yield from (f"{name}: {text}" for text in _program(programs[name], inner))
    elif "models" in view:
        if isinstance(view.get("load_pt2_model_names"), list):
            yield from _same("names of packages", sorted(packages), view["load_pt2_model_names"])
        for name, inner in view["models"].items():
            yield from (f"{name}: {text}" for text in _package(packages[name], inner))
    elif "user_inputs" in view:
        yield from _program(archive.programs[0], view)
    else:
        yield from _package(archive.packages[0], view)


def _program(program: facts.Program, view: View) -> Iterator[str]:
    yield from _same("torch", program.torch_version, view["torch"], unless=program.torch_version in (None, "<=2.4"))
    yield from _leaves("input", program.inputs, view["user_inputs"])
    users = [o for o in view["outputs"] if o["spec"] in ("USER_OUTPUT", "LOSS_OUTPUT")]
    yield from _leaves("output", program.outputs, users)
    ranges = {k: v for k, v in view["range_constraints"].items() if k.isidentifier()}
    stated = {k: [_low(v.min), _high(v.max)] for k, v in program.dims.items() if k in ranges}
    yield from _same("ranges", stated, {k: [_low(v[0]), _high(v[1])] for k, v in ranges.items()})
    yield from _weights(program, view)
    yield from _same("mutated buffers", _mutated(program.weights, view["buffers_to_mutate"]),
                     sorted(view["buffers_to_mutate"].values()))  # fmt: skip
    yield from _same("operators", _plain_ops(program.ops), _plain_ops(view["ops"]))
    yield from _same("unbacked", sorted(program.unbacked), sorted(view["unbacked"]))
    if "guards_code" in view:
        yield from _guards(program.guards, view["guards_code"])
    if isinstance(view["forward_arg_names"], list):
        yield from _same("forward", program.signature, ", ".join(view["forward_arg_names"]))
    examples = view["example_inputs"] is not None
    yield from _same("example inputs", program.example_inputs, examples, unless=program.example_inputs is None)
    used = {op.split(".")[0] for op in view["ops"] if "." in op and not op.startswith("<")}
    if "corpus" in used:
        custom = {"::".join(op.split(".")[:2]) for op in view["ops"] if op.startswith("corpus.")}
        yield from _same("custom operators", set(program.custom_ops), custom)


def _package(package: facts.Package, view: View) -> Iterator[str]:
    metadata = view.get("get_metadata")
    if isinstance(metadata, dict) and "error" not in metadata:
        stated = {"AOTI_DEVICE_KEY": package.device_type, "AOTI_PLATFORM": package.platform,
                  "AOTI_MACHINE": package.machine, "AOTI_CPU_ISA": package.cpu_isa,
                  "AOTI_COMPUTE_CAPABILITY": package.compute_capability, **package.metadata}  # fmt: skip
        for key, value in metadata.items():
            yield from _same(f"metadata {key}", stated.get(key) or "", value)
    names = view.get("get_constant_fqns")
    if isinstance(names, list):
        yield from _same("constants", sorted(w.name for w in package.weights), sorted(names))
    spec = view.get("get_call_spec")
    if isinstance(spec, list):
        # Values of Python are leaves of the structure too, but no inputs.
        leaves = sum(child.leaves for child in parse_treespec(spec[0]).children)
        if len(package.inputs) > leaves:
            yield f"{len(package.inputs)} inputs, more than the {leaves} leaves of the structure"
        yield from _same("outputs", len(package.outputs), parse_treespec(spec[1]).leaves)
    ran = (view.get("run") or view).get("ran_outputs")
    if isinstance(ran, list):
        yield from _ran(package, ran)


def _ran(package: facts.Package, ran: list[View]) -> Iterator[str]:
    """What a run returned, for outputs whose sizes are written in the source."""
    for output, real in zip(package.outputs, ran, strict=True):
        if output.tensor is None or real["kind"] != "tensor":
            continue
        yield from _same(f"dtype of {output.path}", output.tensor.dtype, real["dtype"].removeprefix("torch."))
        yield from _same(f"device of {output.path}", output.tensor.device, real["device"].partition(":")[0])
        yield from _same(f"rank of {output.path}", len(output.tensor.shape), len(real["shape"]))
        for size, other in zip(output.tensor.shape, real["shape"], strict=False):
            if isinstance(size, int):
                yield from _same(f"size of {output.path}", size, other)


def _leaves(word: str, leaves: Iterable[facts.Leaf], views: list[View]) -> Iterator[str]:
    leaves = list(leaves)
    yield from _same(f"number of {word}s", len(leaves), len(views))
    for leaf, view in zip(leaves, views, strict=False):
        kinds = {"symint": "symbol", "symfloat": "symbol", "symbool": "symbol"}
        kind = kinds.get(view["kind"], view["kind"])
        yield from _same(f"kind of {word} {leaf.path}", leaf.kind, kind)
        if leaf.tensor is not None and kind == "tensor":
            yield from _tensor(f"{word} {leaf.path}", leaf.tensor, view)
        elif kind in ("int", "float", "bool", "str"):
            yield from _same(f"value of {word} {leaf.path}", leaf.value, view["value"])


def _tensor(what: str, tensor: facts.Tensor, view: View) -> Iterator[str]:
    yield from _same(f"dtype of {what}", tensor.dtype, view["dtype"].removeprefix("torch."))
    yield from _same(f"device of {what}", tensor.device, view["device"])
    yield from _sizes(f"shape of {what}", tensor.shape, view["shape"])
    if tensor.strides is not None and isinstance(view.get("stride"), list):
        yield from _sizes(f"strides of {what}", tensor.strides, view["stride"])


def _sizes(what: str, ours: Iterable[facts.Size], theirs: Iterable[int | str]) -> Iterator[str]:
    ours, theirs = list(ours), list(theirs)
    if len(ours) != len(theirs) or not all(_equal(a, b) for a, b in zip(ours, theirs, strict=True)):
        yield f"{what}: {ours} here, {theirs} in torch"


def _equal(ours: facts.Size, theirs: int | str) -> bool:
    """Whether two expressions have the same values wherever they have any."""
    first, second = parse(str(ours)), parse(str(theirs))
    names = symbols(first) | symbols(second)
    numbers = random.Random(len(names))
    for _ in range(20):
        values: dict[Expr, int | float | bool] = {Symbol(name): numbers.randint(2, 97) for name in names}
        if evaluate(first, values) != evaluate(second, values):
            return False
    return symbols(first) == symbols(second) or isinstance(first, Const)


def _guards(ours: Iterable[str], theirs: Iterable[str]) -> Iterator[str]:
    ours, theirs = list(ours), list(theirs)
    yield from _same("number of guards", len(ours), len(theirs))
    numbers = random.Random(0)
    for mine, other in zip(ours, theirs, strict=False):
        shapes: dict[str, int] = {}

        def pick(name: str, shapes: dict[str, int] = shapes) -> int:
            return shapes.setdefault(name, numbers.randint(2, 40))

        for _ in range(20):
            shapes.clear()
            # torch's text is Python over L; ours is Python over the parameters.
            expected = _holds(other, {"L": _Inputs(pick), "math": math, "torch": None})
            got = _holds(_as_calls(mine), {"pick": pick, "math": math}, _Numbers(pick))
            if expected != got:
                yield f"guard {mine!r} here, {other!r} in torch"
                break


def _holds(guard: str, names: dict[str, Any], numbers: Mapping[str, int] | None = None) -> bool | None:
    """Whether a guard holds; None where it divides by 0. `numbers` are inputs that are numbers."""
    try:
        return bool(eval(guard, names, numbers))
    except ZeroDivisionError:
        return None


class _Numbers(dict[str, int]):
    """Inputs that are numbers, by their names."""

    def __init__(self, pick: Any) -> None:
        self._pick = pick

    def __missing__(self, name: str) -> int:
        if name in ("pick", "math", "max", "min", "abs", "int", "float", "round"):
            raise KeyError(name)
        return int(self._pick(name))


class _Inputs:
    """Stands for `L`: any path of subscripts and attributes that ends in `.size()[n]`."""

    def __init__(self, pick: Any, path: str = "") -> None:
        self._pick, self._path = pick, path

    def __getitem__(self, key: object) -> _Inputs:
        return _Inputs(self._pick, str(key) if not self._path else f"{self._path}[{key!r}]")

    def size(self) -> Mapping[int, int]:
        path, pick = self._path, self._pick

        class Sizes(dict[int, int]):
            def __missing__(self, index: int) -> int:
                return int(pick(f"{path}.shape[{index}]"))

        return Sizes()

    def _number(self) -> int:
        return int(self._pick(self._path))

    def __ge__(self, other: int) -> bool:
        return self._number() >= other

    def __le__(self, other: int) -> bool:
        return self._number() <= other

    def __eq__(self, other: object) -> bool:
        return self._number() == other

    def __rmul__(self, other: int) -> int:
        return other * self._number()

    def __mul__(self, other: int) -> int:
        return other * self._number()

    def __add__(self, other: int) -> int:
        return self._number() + other

    def __ne__(self, other: object) -> bool:
        return self._number() != other

    __hash__ = object.__hash__


def _as_calls(guard: str) -> str:
    """A guard with every size looked up by its text."""
    dims = re.compile(r"[A-Za-z_][\w.]*(?:\[[^\]]*\](?!\.?\w*\()|\.\w+)*?\.shape\[\d+\]")
    text = dims.sub(lambda match: f"pick({match[0]!r})", guard)
    if text == guard:
        text = re.sub(r"^[A-Za-z_]\w*", lambda match: f"pick({match[0]!r})", guard)
    return text


def _weights(program: facts.Program, view: View) -> Iterator[str]:
    roles = {"PARAMETER": "parameter", "BUFFER": "buffer", "CONSTANT_TENSOR": "constant", "CUSTOM_OBJ": "object"}
    theirs = {s["target"]: roles[s["kind"]] for s in view["input_specs"] if s["kind"] in roles}
    yield from _same("weights", {w.name: w.role for w in program.weights}, theirs)
    persistent = {s["target"]: s["persistent"] for s in view["input_specs"] if s["kind"] == "BUFFER"}
    yield from _same("persistent buffers", {w.name: w.persistent for w in program.weights if w.role == "buffer"},
                     persistent)  # fmt: skip
    state = view["state"]
    for weight in program.weights:
        real = state["tensors"].get(weight.name)
        if weight.tensor is None or real is None or "dtype" not in real:
            continue
        yield from _tensor(weight.name, weight.tensor, real)
        # Loading with 2.9 gives every parameter requires_grad=True, whatever was saved.
        yield from _same(f"requires_grad of {weight.name}", weight.tensor.requires_grad, real["requires_grad"],
                         unless=weight.role != "parameter" or _number(view["torch"]) == (2, 9))  # fmt: skip
    groups: dict[str, set[str]] = {}
    for weight in program.weights:
        if weight.tied is not None:
            groups.setdefault(weight.tied, {weight.tied}).add(weight.name)
    used = {weight.name for weight in program.weights}
    real_groups = [sorted(set(group) & used) for group in state["tied"]]
    yield from _same("tied", sorted(map(sorted, groups.values())), sorted(g for g in real_groups if len(g) > 1))


def _mutated(weights: Iterable[facts.Weight], theirs: Mapping[str, str]) -> list[str]:
    """Those the signature states; what is written in place before decomposition is only known to the graph."""
    return sorted(weight.name for weight in weights if weight.mutated and (weight.name in theirs.values()))


def _plain_ops(ops: Mapping[str, int]) -> dict[str, int]:
    """Operators by names both sides use."""
    found: Counter[str] = Counter()
    for name, count in ops.items():
        match = re.fullmatch(r"<built-in function (\w+)>|<function (\w+) at .*>|<class '(.*)'>", name)
        plain = next(filter(None, match.groups())) if match is not None else name
        found[plain.removeprefix("higher_order.").removeprefix("operator.").rpartition("torch.")[2]] += count
    # Unpacking the results of an operator is part of the operator in the archive.
    found.pop("getitem", None)
    return dict(found)


def _low(value: object) -> object:
    return None if value in (None, "-inf") else value


def _high(value: object) -> object:
    return None if value in (None, "inf") or (isinstance(value, int) and value > 2**62) else value


def _number(version: str) -> tuple[int, int]:
    major, minor = version.split(".")[:2]
    return int(major), int(minor)


def _same(what: str, ours: object, theirs: object, *, unless: bool = False) -> Iterator[str]:
    if not unless and ours != theirs:
        yield f"{what}: {ours!r} here, {theirs!r} in torch"


def main(folders: list[str]) -> int:
    """Compare everything below `folders`; gives the number of files that differ."""
    wrong = 0
    for folder in folders:
        for path in sorted(Path(folder).rglob("*.view.json")):
            view = json.loads(path.read_text())
            stem = str(path).removesuffix(".view.json")
            file = next((Path(stem + end) for end in (".pt2", ".so") if Path(stem + end).exists()), None)
            if file is None or "error" in view:
                print("not compared:", path, view.get("error", "")[:100])
                continue
            try:
                found = disagreements(read(str(file)), view)
            except Exception as error:
                found = [f"{type(error).__name__}: {error}"]
            wrong += bool(found)
            for text in found:
                print(f"{file.parent.name}/{file.name}: {text}")
    return wrong


if __name__ == "__main__":
    print(main(sys.argv[1:]), "files differ")
