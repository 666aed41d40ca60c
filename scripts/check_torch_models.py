"""Hold the arguments that our models of torch's functions read against the sources of torch releases.

    python scripts/check_torch_models.py wheels/torch-*.whl

The places are those that `make_torch_api.py` takes. What the models read comes from `stated_arguments.py`, what torch
takes from its Python sources and, for functions in C++, from the stubs (`.pyi`) that come with them. It prints

    a position at which torch has another argument than the name that is read there,
    an argument that is read by position only, or under other names only, although it can be given by name,
    an argument that is read by name only, although it can be given by position,
    a default that is not torch's,

and ends with 1 when there is any, and with 0 when there is none.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from check_torch_api import Disagreement, Release, definitions
from stated_arguments import NO_DEFAULT, Stated, functions, methods

STUBS = {
    "torch": ("torch/_C/_VariableFunctions.pyi",),
    "torch.nn.functional": ("torch/nn/functional.pyi", "torch/_C/_nn.pyi"),
    "torch.Tensor": ("torch/_C/__init__.pyi",),
}
"""Where the functions of a module, and the methods of tensors, are declared that are written in C++."""
CLASSES = {
    "Tensor": "torch._tensor.Tensor",
    "Module": "torch.nn.modules.module.Module",
    "Program": "torch.export.exported_program.ExportedProgram",
    "LoadedProgram": "torch.export.exported_program.ExportedProgram",
    "CustomOpDef": "torch._library.custom_ops.CustomOpDef",
    "torch.library.Library": "torch.library.Library",
    "torch.optim.Optimizer": "torch.optim.optimizer.Optimizer",
    "torch.export.ShapesCollection": "torch.export.dynamic_shapes.ShapesCollection",
    "torch.export.AdditionalInputs": "torch.export.dynamic_shapes.AdditionalInputs",
}
"""The classes behind the tags of values."""


_COUNTED = "the model gives up where more stand by position than it reads"
EXPLAINED = {
    ("factories._arange", "start"): "it counts what stands by position",
    ("factories._arange", "end"): "it counts what stands by position",
    ("factories._arange", "step"): "it counts what stands by position",
    ("factories._randint", "size"): "it counts what stands by position",
    ("factories.made", "dtype"): "the stubs are wrong: by name only",
    ("factories.made", "device"): "the stubs are wrong: by name only",
    ("factories.made", "requires_grad"): "the stubs are wrong: by name only",
    ("devices.tell", "device"): "the stubs are wrong: by name only",
    ("tensors._want_gradient", "mode"): "the stubs are wrong: it is called requires_grad",
    ("arithmetic._where", "self"): "the stubs are wrong: it is called input",
    ("factory_data._complex", "real"): "one of two pairs of names for the same places",
    ("factory_data._complex", "imag"): "one of two pairs of names for the same places",
    ("views._gather", "index"): "it looks for the tensor among what stands by position",
    ("views._gather", "indices"): "it looks for the tensor among what stands by position",
    ("tensor_base.asked_dtype", "dtype"): "it looks for the dtype among what stands by position",
    ("reduce._mode", "dim"): "read again by `reduced`",
    ("reduce.reduced", "unbiased"): "it is told by its kind: True or False",
    ("parts._tensor_split", "indices"): "only a number of parts is followed",
    ("parts._tensor_split", "tensor_indices_or_sections"): "only a number of parts is followed",
    ("layers._adaptive.model", "return_indices"): _COUNTED,
    ("layers._pooling.model", "return_indices"): _COUNTED,
    ("layers._pooling.model", "ceil_mode"): _COUNTED,
    ("layers._pooling.model", "dilation"): _COUNTED,
    ("losses._loss.model", "reduction"): _COUNTED,
    ("memory.copied", "memory_format"): "strides only: behind non_blocking nobody gives it by position",
    ("dims._keep", "min"): "of mark_dynamic alone, which takes it by name only",
    ("dims._keep", "max"): "of mark_dynamic alone, which takes it by name only",
    ("marks._subtest", "decorators"): "of torch's own tests",
    ("marks._parametrize", "name_fn"): "of torch's own tests",
    ("ops._register_other", "device_type"): "what it gives back is a function",
    ("ops._register_other", "func"): "what is given by name is no decorator",
}
"""Readings, by model and argument, that differ from torch and are right, and why."""
EXPLAINED_OF_OLD = {
    ("views._flatten", "dims"): "dimensions with names, up to 2.12: nobody exports those",
    ("views._flatten", "out_dim"): "dimensions with names, up to 2.12: nobody exports those",
    ("trees._tree_map_only", "__type_or_types_or_pred"): "by position only, as was written before Python 3.8",
    ("onnx._export", "dynamo"): "torch 2.4 takes it by position too, behind 16 others",
}
"""The same for what the newest releases do not have."""


@dataclass(frozen=True)
class Taken:
    """A parameter: `index` is None where it is given by name only, `named` False where by position only."""

    name: str
    index: int | None
    named: bool
    default: object


Signature = tuple[Taken, ...]


class Declared:
    """What the functions of one release take, an overload each."""

    def __init__(self, release: Release) -> None:
        self.release = release
        self._stubs: dict[str, dict[str, list[ast.FunctionDef]]] = {}

    def function(self, name: str) -> list[Signature] | None:
        """The overloads of a function or class; None where the sources do not tell, or take anything."""
        module, _, short = name.rpartition(".")
        nodes = [node for _, node in definitions(self.release, module, short)]
        defined = [n for n in nodes if isinstance(n, ast.FunctionDef)]
        if len(nodes) == 1 and isinstance(nodes[0], ast.ClassDef):
            made = [n for n in nodes[0].body if isinstance(n, ast.FunctionDef) and n.name == "__init__"]
            return _signatures(made, skip=1)
        if nodes and len(defined) == len(nodes):
            return _signatures(defined, skip=0)
        return self._stub(module, short, skip=0)

    def method(self, cls: str, name: str) -> list[Signature] | None:
        owner, _, short = cls.rpartition(".")
        for _, node in definitions(self.release, owner, short):
            found = [n for n in getattr(node, "body", ()) if isinstance(n, ast.FunctionDef) and n.name == name]
            if found:
                return _signatures(found, skip=1)
        return self._stub("torch.Tensor", name, skip=1) if short == "Tensor" else None

    def _stub(self, module: str, name: str, skip: int) -> list[Signature] | None:
        for path in STUBS.get(module, ()):
            if path not in self._stubs:
                tree = ast.parse(self.release.text(path)) if path in self.release.files else ast.Module([], [])
                self._stubs[path] = {}
                for node in ast.walk(tree) if module == "torch.Tensor" else tree.body:
                    if isinstance(node, ast.ClassDef) and node.name in ("TensorBase", "_TensorBase"):
                        for inner in node.body:
                            if isinstance(inner, ast.FunctionDef):
                                self._stubs[path].setdefault(inner.name, []).append(inner)
                    elif isinstance(node, ast.FunctionDef) and module != "torch.Tensor":
                        self._stubs[path].setdefault(node.name, []).append(node)
            if name in self._stubs[path]:
                return _signatures(self._stubs[path][name], skip)
        return None


def _signatures(nodes: Iterable[ast.FunctionDef], skip: int) -> list[Signature] | None:
    found = []
    for node in nodes:
        arguments = node.args
        if arguments.vararg:
            return None
        positional = [*arguments.posonlyargs, *arguments.args]
        defaults = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
        pairs = list(zip(positional, defaults, strict=True))[skip:]
        only = max(len(arguments.posonlyargs) - skip, 0)
        taken = [Taken(a.arg, i, i >= only, _literal(d)) for i, (a, d) in enumerate(pairs)]
        taken += [Taken(a.arg, None, True, _literal(d))
                  for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]  # fmt: skip
        found.append(tuple(taken))
    return found or None


def _literal(node: ast.expr | None) -> object:
    """A default as a Python value; `NO_DEFAULT` for None, which may mean anything, and for what is no literal."""
    try:
        value = ast.literal_eval(node) if node is not None else None
    except ValueError:
        return NO_DEFAULT
    return NO_DEFAULT if value is None or isinstance(value, (tuple, list)) or value is ... else value


def compare(stated: set[Stated], overloads: list[Signature]) -> Iterator[tuple[str, str, str]]:
    """(the argument, the model, what is wrong with how it is read)."""
    everything = [one for overload in overloads for one in overload]
    names = {one.name for one in stated}
    for one in sorted(stated, key=lambda s: (s.index is None, s.index or 0, s.name or "")):
        same = [taken for taken in everything if taken.name == one.name]
        at = {taken.index for taken in same if taken.index is not None}
        # Of one that can be given by name only, the call by position raises.
        if one.name and one.index is not None and at and one.index not in at:
            yield one.name, one.where, f"read at position {one.index}, where it does not stand"
        if same and one.default is not NO_DEFAULT:
            usual = {repr(taken.default) for taken in same if taken.default is not NO_DEFAULT}
            if usual and repr(one.default) not in usual:
                yield one.name or "", one.where, f"the default is {', '.join(usual)}, not {one.default!r}"
        if one.index is None and at and not at & {other.index for other in stated}:
            yield one.name or "", one.where, f"read by name only, it may stand at position {min(at)}"
    for index in sorted({one.index for one in stated if one.index is not None}):
        for taken in sorted({t for t in everything if t.index == index and t.named}, key=lambda t: t.name):
            if taken.name not in names:
                where = next(one.where for one in stated if one.index == index)
                yield taken.name, where, f"read at position {index}, but not by this name"


def check_models(release: Release, explained: set[tuple[str, str]] | None = None) -> Iterator[Disagreement]:
    """What the models read of the calls of this release otherwise than it takes it.

    The keys of `EXPLAINED` that are met go to `explained`.
    """
    declared = Declared(release)
    read = [(name, stated, declared.function(name)) for name, stated in functions()]
    read += [(f"{tag}.{name}", stated, declared.method(cls, name))
             for tag, cls in CLASSES.items() for name, stated in methods(tag)]  # fmt: skip
    for name, stated, overloads in read:
        for argument, where, what in compare(stated, overloads or []):
            if (where, argument) not in EXPLAINED | EXPLAINED_OF_OLD:
                yield Disagreement(release.minor, f"{name}({argument})", f"{what} ({where})")
            elif explained is not None:
                explained.add((where, argument))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("places", nargs="+", type=Path, help="wheels of torch, or folders that hold torch/")
    count = 0
    for place in parser.parse_args().places:
        for found in check_models(Release(place)):
            print(found, flush=True)
            count += 1
    return int(bool(count))


if __name__ == "__main__":
    sys.exit(main())
