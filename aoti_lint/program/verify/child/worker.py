"""The child process: loads the models, runs them on what the parent asks for, and says what happened.

Nothing here needs more than torch and the standard library.
"""

from __future__ import annotations

import importlib
import itertools
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from aoti_lint.isolated.serving import Stage, check_heap, message, serve


def main() -> int:
    """Serve until standard input ends."""
    return serve(_Worker, warm)


def warm() -> None:
    """Import what loading needs anyway, and have torch look at the processor once, which it does with a compiler.

    Sources: `torch/_inductor/codecache.py` (`get_device_information`, since 2.10), and what `torch.export.load` and
    `aoti_load_package` of 2.13 import first. All of it is for speed only.
    """
    names = ("_inductor.package", "export.pt2_archive._package", "_export.serde.serialize", "_functorch.aot_autograd")
    try:
        for name in names:
            importlib.import_module(f"torch.{name}")
        importlib.import_module("torch._inductor.codecache").get_device_information("cpu")
    except Exception:
        # Another version of torch has other modules, and imports them itself later.
        return


class _Worker:
    def __init__(self, request: Mapping[str, Any], stage: Stage) -> None:
        from aoti_lint.program.verify.child.loading import Opened

        self._stage = stage
        self.opened = Opened(request, stage)

    def describe(self) -> dict[str, Any]:
        """What was loaded, as `protocol.Opened`."""
        return self.opened.describe()

    def run(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """One case, as `protocol.Result`."""
        from aoti_lint.program.verify.child.compare import Comparison

        comparison = Comparison(request["rtol"], request["atol"], request["values"])
        start = time.monotonic()
        runs = {role: self._calls(role, request["calls"], 0) for role in self.opened.models}
        seconds = time.monotonic() - start
        changed = self._changed()
        random = [role for role in self.opened.models if self._random(role, request["calls"], runs[role])] \
            if request["twice"] else []  # fmt: skip
        differences: list[dict[str, Any]] = []
        for left, right in itertools.pairwise(runs):
            if not request["values"] or left in random or right in random:
                comparison = Comparison(request["rtol"], request["atol"], False)
            differences += _differences(comparison, left, right, runs[left], runs[right])
        unguarded = None
        if request["outside"] and self.opened.unguarded is not None and runs["program"][-1].error:
            # What the program computes for inputs that its guards refuse says whether the package is right.
            unguarded = self._calls("unguarded", request["calls"], 0)
            if "package" in runs:
                differences += _differences(comparison, "program", "package", unguarded, runs["package"])
        return {
            "calls": {role: [each.describe() for each in calls] for role, calls in runs.items()},
            "differences": differences[:20],
            "random": random,
            "changed": changed,
            "largest": comparison.largest,
            "numbers": comparison.numbers,
            "unguarded": unguarded is not None and not unguarded[-1].error,
            "seconds": seconds,
        }

    def _calls(self, role: str, calls: list[list[str]], seed: int) -> list[_Called]:
        """The calls of one model, from its start; none after one that raises."""
        import torch

        model: Any = self.opened.unguarded if role == "unguarded" else self.opened.models[role]
        self._stage(f"resetting the {role}")
        model.reset()
        self._stage(f"running the {role}")
        torch.manual_seed(seed)
        made = []
        for texts in calls:
            called = _Called(model, self.opened, texts)
            made.append(called)
            if called.error:
                break
        if role == "package":
            check_heap()
        return made

    def _random(self, role: str, calls: list[list[str]], first: list[_Called]) -> bool:
        """Whether the same calls of a model give something else under another seed."""
        from aoti_lint.program.verify.child.compare import Comparison

        self._changed()
        second = self._calls(role, calls, 12345)
        # What wobbles by an order of summation is not random.
        comparison = Comparison(None, None, True)
        return any(True for one, other in zip(first, second, strict=False) if not one.error and not other.error
                   for _ in comparison.results(one.result, other.result))  # fmt: skip

    def _changed(self) -> list[str]:
        """The buffers a case changed; the package is told that it has some too."""
        from aoti_lint.program.verify.child.loading import Package, Reference

        references = [model for model in self.opened.models.values() if isinstance(model, Reference)]
        changed = list(dict.fromkeys(name for model in references for name in model.changed()))
        for model in self.opened.models.values():
            if isinstance(model, Package):
                model.stateful = model.stateful or bool(changed)
        return changed


class _Called:
    """One call: its result, or its error, and the tensors it was given, as they are after it."""

    def __init__(self, model: Callable[..., Any], opened: Any, texts: list[str]) -> None:
        import torch
        from torch.utils import _pytree as pytree

        from aoti_lint.program.verify.child.loading import same

        self.error = self.text = ""
        self.result: Any = None
        leaves = [build(text, opened.example) for text in texts]
        args, kwargs = pytree.tree_unflatten(leaves, opened.spec)
        before = [leaf.clone() if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]
        try:
            with torch.no_grad():
                self.result = pytree.tree_map(_kept, model(*args, **kwargs))
        except Exception as error:
            self.error, self.text = type(error).__name__, message(error)
        self.after = leaves
        self.written = [index for index, (one, other) in enumerate(zip(before, leaves, strict=True))
                        if isinstance(one, torch.Tensor) and not same(one, other)]  # fmt: skip

    def describe(self) -> dict[str, Any]:
        """As `protocol.CallResult`."""
        return {"error": self.error, "text": self.text, "written": self.written}


def _differences(
    comparison: Any, left: str, right: str, ones: list[_Called], others: list[_Called]
) -> Iterator[dict[str, Any]]:
    """Where two models differ, as `protocol.Difference`, for the calls in which both returned."""
    for number, (one, other) in enumerate(zip(ones, others, strict=False)):
        if one.error or other.error:
            continue
        found = list(comparison.results(one.result, other.result))
        for index, (before, after) in enumerate(zip(one.after, other.after, strict=True)):
            found += [("input", str(index), text) for _, _, text in comparison.leaf("value", before, after)]
        for what, path, text in found:
            yield {"left": left, "right": right, "call": number, "what": what, "path": path, "text": text}


def build(text: str, example: list[Any] | None) -> Any:
    """A leaf from the text `render.python` made for it."""
    import torch

    return eval(text, {"torch": torch, "example": example})


def _kept(value: Any) -> Any:
    """A leaf of a result that later calls do not change."""
    import torch

    return value.detach().clone() if isinstance(value, torch.Tensor) else value
