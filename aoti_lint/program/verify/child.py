"""The child process: loads the models, runs them on what the parent asks for, and says what happened.

It reads JSON lines from standard input and writes JSON lines to where standard output went. The models write to
standard error instead. Nothing here needs more than torch and the standard library.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import itertools
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any


def main() -> int:
    """Serve until standard input ends.

    On Linux torch is imported once, and each request to open models makes a worker of its own by fork: one that dies
    costs no second import. Elsewhere, and with a torch for accelerators, a process serves one: CUDA cannot be used in a
    fork of a process that has looked at it, which importing what loading needs does (run with 2.11+cu130).
    """
    asked = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)

    def answer(**fields: Any) -> None:
        answers.write(json.dumps(fields) + "\n")
        answers.flush()

    answer(stage="importing torch")
    try:
        forks = may_fork(importlib.import_module("torch"))
    except ImportError as error:
        answer(failed=_says(error))
        return 1
    if forks:
        warm()
    for line in asked:
        if not forks:
            return _serve(line, asked, answer)
        worker = os.fork()
        if worker == 0:
            os._exit(_serve(line, asked, answer))
        answer(died=os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1]))
    return 0


def may_fork(torch: Any) -> bool:
    """Whether a process that has imported this torch may fork and use it in both.

    `AOTI_LINT_VERIFY_NO_FORK` in the environment says no, for tests.
    """
    version = torch.version
    built_for = [getattr(version, name, None) for name in ("cuda", "hip", "xpu")]
    return sys.platform == "linux" and not any(built_for) and "AOTI_LINT_VERIFY_NO_FORK" not in os.environ


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


def _serve(first: str, asked: Iterable[str], answer: Callable[..., None]) -> int:
    """Answer `first` and what follows, until there is no more."""
    answer(worker=os.getpid())
    worker: _Worker | None = None
    for line in itertools.chain([first], asked):
        request = json.loads(line)
        try:
            if request["do"] == "open":
                worker = _Worker(request, lambda text: answer(stage=text))
                answer(done=worker.opened.describe())
            elif worker is not None:
                answer(done=worker.run(request))
        except Exception as error:
            import traceback

            traceback.print_exc()
            answer(failed=_says(error))
    return 0


class _Worker:
    def __init__(self, request: Mapping[str, Any], stage: Callable[[str], None]) -> None:
        from aoti_lint.program.verify.loading import Opened

        self._stage = stage
        self.opened = Opened(request, stage)

    def run(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """One case, as `protocol.Result`."""
        from aoti_lint.program.verify.compare import Comparison

        comparison = Comparison(request["rtol"], request["atol"], request["values"])
        runs = {role: self._calls(role, request["calls"], 0) for role in self.opened.models}
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
        from aoti_lint.program.verify.compare import Comparison

        self._changed()
        second = self._calls(role, calls, 12345)
        # What wobbles by an order of summation is not random.
        comparison = Comparison(None, None, True)
        return any(True for one, other in zip(first, second, strict=False) if not one.error and not other.error
                   for _ in comparison.results(one.result, other.result))  # fmt: skip

    def _changed(self) -> list[str]:
        """The buffers a case changed; the package is told that it has some too."""
        from aoti_lint.program.verify.loading import Package, Reference

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

        from aoti_lint.program.verify.loading import same

        self.error = self.text = ""
        self.result: Any = None
        leaves = [build(text, opened.example) for text in texts]
        args, kwargs = pytree.tree_unflatten(leaves, opened.spec)
        before = [leaf.clone() if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]
        try:
            with torch.no_grad():
                self.result = pytree.tree_map(_kept, model(*args, **kwargs))
        except Exception as error:
            self.error, self.text = type(error).__name__, _message(error)
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


def check_heap() -> None:
    """Let the allocator look at what it freed: where memory was overwritten, glibc ends the process here."""
    gc.collect()
    if sys.platform == "linux":
        try:
            ctypes.CDLL(None).malloc_trim(0)
        except (OSError, AttributeError):
            return


def _message(error: BaseException) -> str:
    """The part of a message people want: torch appends stacks of C++ to some."""
    text = str(error).partition("\nException raised from")[0].strip()
    return text[:1000]


def _says(error: BaseException) -> str:
    return _message(error) if type(error).__name__ == "Unreadable" else f"{type(error).__name__}: {_message(error)}"


if __name__ == "__main__":
    raise SystemExit(main())
