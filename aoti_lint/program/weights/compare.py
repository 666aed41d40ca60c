"""Whether a file of weights is what `load_constants` of a package can take, and what it would do with it.

What it would do was run with torch 2.13.0 for each case; tests/program/weights/loading.json has the record. Names are
compared by the loader, also without `check_full_update`; tensors by nobody (see `fits.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from aoti_lint.program.facts import Weight
from aoti_lint.program.weights.file import Entry, WeightFile
from aoti_lint.program.weights.fits import misfit, shown
from aoti_lint.program.weights.naming import quoted
from aoti_lint.program.weights.prefixes import find_renaming
from aoti_lint.program.weights.problem import Kind, Outcome, WeightProblem
from aoti_lint.quoting.python import string

KEEP_KNOWN = "state = {name: value for name, value in state.items() if name in set(package.get_constant_fqns())}"

MAX_INLINED = 8
"""Inductor writes one-dimensional constants of up to so many elements into its code (`can_inline_constant`,
torch/_inductor/graph.py)."""

WeightsAt = Literal["library", "archive", "outside"]
"""As in `facts.Package`."""


def compare(wanted: Sequence[Weight], file: WeightFile, *, weights_at: WeightsAt | None = None) -> list[WeightProblem]:
    """What does not fit: first what is about the whole file, then the package's weights in its order, then the others.

    `wanted` are the constants of a package. `weights_at` is what the package says of where their values are, which
    decides what happens to one that is missing.
    """
    needed = {weight.name: weight for weight in wanted if not weight.folded}
    folded = {weight.name for weight in wanted if weight.folded}
    held = {entry.name: entry for entry in file.entries}
    problems = [
        WeightProblem(
            name="", kind="damaged", outcome="raises", message=problem.message, fix="Save or copy the file again"
        )
        for problem in file.problems
    ]
    if renaming := find_renaming(needed, held):
        text = f'{renaming.what}: load_constants raises "Constant not found: {quoted(next(iter(held)))[1:-1]}"'
        problems.append(_problem("", "prefix", "raises", text, renaming.code))
        held = {renaming.names[name]: entry for name, entry in held.items()}
    twins = {renaming.names.get(name, name) if renaming else name: kept for name, kept in file.twins.items()}
    if renaming:
        twins = {name: renaming.names.get(kept, kept) for name, kept in twins.items()}
    comparison = _Comparison(needed, folded, held, twins, weights_at)
    problems += [found for weight in needed.values() if (found := comparison.wanted(weight))]
    problems += [found for name, entry in held.items() if (found := comparison.extra(name, entry))]
    return problems


def _problem(name: str, kind: Kind, outcome: Outcome, message: str, fix: str) -> WeightProblem:
    return WeightProblem(name=name, kind=kind, outcome=outcome, message=message, fix=fix)


class _Comparison:
    def __init__(
        self,
        needed: dict[str, Weight],
        folded: set[str],
        held: dict[str, Entry],
        twins: dict[str, str],
        weights_at: WeightsAt | None,
    ) -> None:
        self._needed = needed
        self._folded = folded
        self._held = held
        self._twins = twins
        self._weights_at = weights_at
        self._spoken_of: set[str] = set()
        self._others: dict[tuple[object, ...], list[str]] = {}
        self._groups: dict[tuple[object, ...], list[str]] = {}
        for name, entry in held.items():
            if entry.tensor is not None and entry.storage is not None:
                self._groups.setdefault(_identity(entry), []).append(name)
            if entry.tensor is not None and name not in needed and name not in folded:
                self._others.setdefault((entry.tensor.dtype, entry.tensor.shape), []).append(name)

    def wanted(self, weight: Weight) -> WeightProblem | None:
        """What is wrong with a weight of the package."""
        entry = self._held.get(weight.name)
        return self._missing(weight) if entry is None else misfit(weight, entry)

    def _missing(self, weight: Weight) -> WeightProblem | None:
        name = weight.name
        if weight.bytes == 0 or (weight.tensor is not None and 0 in weight.tensor.shape):
            return None  # The loader passes over constants without elements.
        outcome, then = self._without(weight)
        for twin in (weight.tied, self._twins.get(name)):
            if twin is not None and twin in self._held:
                self._spoken_of.add(twin)
                text = f"{quoted(name)} is not in the file, but {quoted(twin)} is, which is tied to it; {then}"
                return _problem(name, "tied", outcome, text, f"state[{string(name)}] = state.pop({string(twin)})")
        if (guess := self._guess(weight)) is not None:
            self._spoken_of.add(guess)
            text = (
                f"{quoted(name)} is not in the file. {quoted(guess)}, which the package does not know, has its shape "
                f"and dtype: if the two are tied, the package has one of the names only. Without it, {then}"
            )
            return _problem(name, "tied", outcome, text, f"If so: state[{string(name)}] = state.pop({string(guess)})")
        why, fix = "", "Use the state dict of the model that was compiled"
        if weight.role == "constant":
            why = " (a tensor that is neither a parameter nor a buffer of the model: no state dict has it)"
            fix = f"state[{string(name)}] = the tensor; or register_buffer in the model, and compile again"
        elif weight.role == "buffer" and weight.persistent is not True:
            why = " (state dicts have no buffers of persistent=False)" if weight.persistent is False else ""
            fix = f"state[{string(name)}] = dict(model.named_buffers())[{string(name)}]"
        return _problem(name, "missing", outcome, f"{quoted(name)}{why} is not in the file; {then}", fix)

    def _without(self, weight: Weight) -> tuple[Outcome, str]:
        """What load_constants does if a name is missing. In all the runs recorded, the check is of parameters only."""
        dies = "the first call dies (signal 11)"
        keeps = "the values it was compiled with stay in use"
        after = {"library": keeps, "outside": dies}.get(self._weights_at or "", f"{keeps}, or {dies} if there are none")
        worst: Outcome = "silent" if self._weights_at == "library" else "crash"
        if weight.role == "parameter":
            said = '"… API call failed", and on stderr "Cannot find constants …"'
            return worst, f"with check_full_update=True load_constants raises {said}; without, {after}"
        if weight.role in ("buffer", "constant"):
            return worst, f"load_constants only warns, even with check_full_update=True, and {after}"
        return worst, f"load_constants raises or warns with check_full_update=True; otherwise {after}"

    def _guess(self, weight: Weight) -> str | None:
        """The one name that only the file has and that could be a tied twin; only matrices are ever tied."""
        if weight.tensor is None or weight.role != "parameter" or len(weight.tensor.shape) < 2:
            return None
        names = self._others.get((weight.tensor.dtype, weight.tensor.shape), [])
        missing = [
            other
            for other in self._needed.values()
            if other.name not in self._held
            and other.tensor is not None
            and (other.tensor.dtype, other.tensor.shape) == (weight.tensor.dtype, weight.tensor.shape)
        ]
        return names[0] if len(names) == 1 and len(missing) == 1 else None

    def extra(self, name: str, entry: Entry) -> WeightProblem | None:
        """What is wrong with a name of the file that the package does not want."""
        if name in self._needed or name in self._spoken_of:
            return None
        drop = f"state.pop({string(name)})"
        raises = f'load_constants raises "Constant not found: {quoted(name)[1:-1]}"'
        if name in self._folded:
            text = f"{quoted(name)} is made from other weights when the package runs; the value in the file is ignored"
            return _problem(name, "folded", "harmless", text, drop)
        if entry.tensor is None:
            text = f"{quoted(name)} is {entry.what}, not a tensor, and load_constants takes tensors only: it raises"
            return _problem(name, "not a tensor", "raises", text, drop)
        if (twin := self._twin(name, entry)) is not None:
            text = f"{quoted(name)} is tied to {quoted(twin)}, the only name the package has for the two; {raises}"
            return _problem(name, "tied", "raises", text, drop)
        shape = entry.tensor.shape
        if len(shape) == 1 and isinstance(shape[0], int) and shape[0] <= MAX_INLINED:
            text = (
                f"{quoted(name)} has {shape[0]} elements in one dimension. Inductor writes constants of up to "
                f"{MAX_INLINED} into its code, and the package keeps those it was compiled with, if any; {raises}"
            )
            return _problem(
                name, "inlined", "raises", text,
                f"{drop}; if its values differ, compile again, with "
                '"aot_inductor.use_runtime_constant_folding": True to keep such constants loadable',
            )  # fmt: skip
        text = (
            f"{quoted(name)} {shown(entry.tensor)} is nothing the package knows: the compiled model does not use it, "
            f"or it was folded into another constant when it was compiled; {raises}"
        )
        return _problem(name, "unexpected", "raises", text, KEEP_KNOWN)

    def _twin(self, name: str, entry: Entry) -> str | None:
        """The wanted name that is the same tensor."""
        if entry.storage is None:
            return None
        group = self._groups.get(_identity(entry), [])
        return next((other for other in group if other in self._needed and other != name), None)


def _identity(entry: Entry) -> tuple[object, ...]:
    assert entry.tensor is not None
    return entry.storage, entry.offset, entry.tensor.shape, entry.tensor.strides, entry.tensor.dtype
