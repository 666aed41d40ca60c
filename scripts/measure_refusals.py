"""Measures what torch's operations refuse: None, a fraction for a whole number, several tensors for one, a dimension
that is not there.

`python scripts/measure_refusals.py` calls each function of `torch` and `torch.nn.functional`, each method of
`torch.Tensor` and each layer of `torch.nn` with one such argument, the others as their schemas ask, and writes
`aoti_lint/torch_api/refused/refusals.json`. What raises a `TypeError` with every schema counts, and an `AttributeError`
that names `NoneType`. Dimensions are tried on the tensors that an export has. Needs torch.
"""

from __future__ import annotations

import inspect
import json
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._pytree import tree_map_only

DATA = Path(__file__).parent.parent / "aoti_lint" / "torch_api" / "refused" / "refusals.json"
BAD = {"n": None, "f": 1.5}
TENSORS = [torch.ones(2, 2), torch.ones(2, 2)]
HELD = (TENSORS, TENSORS[:1], tuple(TENSORS), {"input": TENSORS[0]})
"""A list, a tuple and a dict of tensors, which stand where one tensor is wanted."""
INDEX = torch.zeros(2, 2, dtype=torch.int64)
DIMENSIONS = {"dim", "dim0", "dim1", "dims", "start_dim", "end_dim", "axis0", "axis1", "dimension"}
FAR = 7
LEFT_OUT = {"set_", "manual_seed", "seed", "set_default_device", "compile", "is_inference", "result_type"}


def value(kind: str) -> Any:
    """A valid argument of a schema's type."""
    tensor = torch.ones(2, 2)
    return {
        "Tensor": tensor, "List[Tensor]": [tensor, tensor], "int": 1, "float": 1.0, "number": 1.0, "bool": True,
        "List[int]": [1], "str": "none",
    }.get(kind)  # fmt: skip


def schemas(name: str) -> list[list[Any]]:
    """The positional arguments of each schema of an operation that is no other's way to write into `out`."""
    try:
        found = torch._C._jit_get_schemas_for_operator(f"aten::{name}")
    except RuntimeError:
        return []
    given = [one for one in found if one.arguments and not any(a.name == "out" for a in one.arguments)]
    first = {"Tensor", "List[Tensor]", "List[int]", "int"}
    given = [one for one in given if str(one.arguments[0].type) in first]
    return [[a for a in one.arguments if not a.kwarg_only] for one in given]


def of_dimension(called: Callable[..., Any], known: list[list[Any]], i: int) -> str:
    """`d` where a dimension beyond those of the tensors is refused, `e` if one more than there are is taken."""

    def tried(dim: int) -> str:
        told = set()
        for one in known:
            if len(one) > i and one[i].name in DIMENSIONS:
                given = [INDEX if a.name == "index" else value(str(a.type)) for a in one]
                given[i] = [dim] if str(one[i].type) == "List[int]" else dim
                with FakeTensorMode(allow_non_fake_inputs=True) as mode:
                    told.add(raises(called, *(tree_map_only(torch.Tensor, mode.from_tensor, a) for a in given)))
        return told.pop() if len(told) == 1 else "other"

    if tried(0) or tried(FAR) != "IndexError":
        return ""
    return "d" if tried(2) == "IndexError" else "e"


def raises(called: Callable[..., Any], *args: Any) -> str:
    """The exception of a call, empty where there is none, "other" where it does not speak of the type."""
    try:
        called(*args)
    except TypeError:
        return "TypeError"
    except IndexError:
        return "IndexError"
    except AttributeError as error:
        return "AttributeError" if "NoneType" in str(error) else "other"
    except Exception:
        return "other"
    return ""


def measured(called: Callable[..., Any], known: list[list[Any]]) -> Iterator[str]:
    """Each parameter as `names:what it refuses`; `l` says that of items too, `*` that more of its kind may follow.

    See `of_dimension` for `d` and `e`.
    """
    for i in range(max(map(len, known))):
        having = [one for one in known if len(one) > i]
        refused, kinds = "", {str(one[i].type) for one in having}
        for letter, bad in BAD.items():
            told = []
            for one in having:
                given = [value(str(a.type)) for a in one]
                given[i] = bad
                told += [raises(called, *given[: i + 1]), raises(called, *given)]
            refused += letter * (set(told) == {"TypeError"})
        before = [value(str(a.type)) for a in having[0][:i]]
        if refused and not kinds.isdisjoint({"List[int]", "List[Tensor]"}):
            if all(raises(called, *before, [BAD[letter]]) == "TypeError" for letter in refused):
                refused += "l"
            several = "List[int]" in kinds and i + 1 == max(map(len, known))
            several = several and raises(called, *before, 1, 1) != "TypeError"
            if several and all(raises(called, *before, 1, BAD[one]) == "TypeError" for one in refused if one in BAD):
                refused += "*"
        if "Tensor" in kinds and not any(kind.startswith("List") for kind in kinds):
            told = [raises(called, *before, held) for held in HELD]
            told += [
                raises(called, *before, held, *(value(str(a.type)) for a in one[i + 1 :]))
                for held in HELD
                for one in having
            ]
            refused += "t" * (set(told) == {"TypeError"})
        refused += of_dimension(called, known, i)
        yield "|".join(dict.fromkeys("input" if a[i].name == "self" else a[i].name for a in having)) + ":" + refused


def written_in_python(called: Callable[..., Any]) -> tuple[str, str]:
    """What a function without a schema refuses as its first argument, and the exception."""
    try:
        given = [p for p in inspect.signature(called).parameters.values() if p.kind in (0, 1)]
    except (TypeError, ValueError):
        return "", ""
    if not given:
        return "", ""
    needed = [p for p in given[1:] if p.default is p.empty]
    others = [torch.ones(2, 2)] * len(needed)
    told = raises(called, None, *others)
    several = all(refuses_several(partial(called, held, *others), held) == told for held in HELD)
    return (f"{given[0].name}:n{'t' * several}", told) if told in ("TypeError", "AttributeError") else ("", "")


def parts(where: Any, prefix: str) -> tuple[dict[str, str], dict[str, str]]:
    """The refusals of what stands in a module or class, and the exceptions that are no `TypeError`, by name."""
    found, others = {}, {}
    for name in dir(where):
        called = getattr(where, name)
        if name.startswith("_") or name in LEFT_OUT or not callable(called) or inspect.isclass(called):
            continue
        known = schemas(name)
        if known and not inspect.isfunction(called):
            told, other = " ".join(measured(called, known)), ""
        elif prefix:
            told, other = written_in_python(called)
        else:
            continue
        if any(not one.endswith(":") for one in told.split()):
            found[prefix + name] = told
        if other == "AttributeError":
            others[prefix + name] = other
    return found, others


def layers() -> dict[str, str]:
    """The exceptions of each layer of one input that is called with None, and with several tensors."""
    found: dict[str, str] = {}
    for name in dir(torch.nn):
        made = getattr(torch.nn, name)
        if not (inspect.isclass(made) and issubclass(made, torch.nn.Module)) or name == "Module":
            continue
        for given in ((), (4,), (4, 4), (4, 4, 1), ([4],), (1, 4)):
            try:
                layer = made(*given)
            except Exception:
                continue
            assert callable(layer)
            told = raises(layer, None)
            if told in ("TypeError", "AttributeError"):
                found[f"torch.nn.{name}"] = told
            several = {refuses_several(partial(layer, held), held) for held in HELD}
            if len(several) == 1 and "" not in several:
                found[f"torch.nn.{name}"] = found.get(f"torch.nn.{name}", "") + f" {several.pop()}"
            break
    return found


def refuses_several(called: Callable[[], Any], held: Any) -> str:
    """The exception of a call with several tensors, where that speaks of what holds them."""
    try:
        called()
    except (AttributeError, TypeError) as error:
        kind = type(held).__name__
        spoken = any(words in str(error) for words in (f"'{kind}' object", f"must be Tensor, not {kind}", f"({kind}"))
        return type(error).__name__ if spoken else ""
    except Exception:
        return ""
    return ""


def main() -> None:
    warnings.simplefilter("ignore")
    functions: dict[str, str] = {}
    others: dict[str, str] = {}
    for module, prefix in ((torch, "torch."), (torch.nn.functional, "torch.nn.functional.")):
        found, raising = parts(module, prefix)
        functions |= found
        others |= raising
    methods, _ = parts(torch.Tensor, "")
    data = {
        "torch": torch.__version__.partition("+")[0],
        "functions": functions,
        "methods": methods,
        "layers": layers(),
        "raises": others,
    }
    DATA.write_text(json.dumps(data, indent=0, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
