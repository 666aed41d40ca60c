"""How sure a finding is: it is tried under every consistent answer to the conditions its values depend on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import overload

from aoti_lint.diagnostics import Confidence
from aoti_lint.torch_api.versions import VersionSet
from aoti_lint.values.assumptions import Joined
from aoti_lint.values.choices import under
from aoti_lint.values.conditions import Cond, Path, decide, usual
from aoti_lint.values.values import NONE, Choice, Sym, Text, Tup, Unknown, Value

MAX_CASES = 256

Test = Callable[[list[Value]], "bool | None"]
"""Whether one case fails: yes, no, or it cannot be told."""


def expand(value: Value) -> Value:
    """`value` with every symbol as a choice between its default, its other known values, and anything."""
    if isinstance(value, Choice):
        return Choice(value.cond, expand(value.then), expand(value.other))
    if isinstance(value, Sym) and (value.default is not None or value.known):
        left: Value = Unknown(f"{value.key} set by the user", value.origin)
        others = [k for k in value.known if k != value.default]
        for i, known in enumerate(others):
            last = i == 0 and value.default is not None
            left = known if last else Choice(Cond(("eq", value.key, known), "option", value.origin), known, left)
        if value.default is None:
            return left
        # Who calls a function whose parameter is None by default gives something where it matters.
        kind = "unknown" if value.function and value.default == NONE else "default"
        return Choice(Cond(("eq", value.key, value.default), kind, value.origin), expand(value.default), left)
    return value


def conditions(value: Value) -> Iterator[Cond]:
    """The conditions `value` depends on."""
    if isinstance(value, Choice):
        yield value.cond
        yield from conditions(value.then)
        yield from conditions(value.other)
    elif isinstance(value, Tup):
        for item in value.items:
            yield from conditions(item)
    elif isinstance(value, Text):
        for item in value.parts:
            yield from conditions(item)


def cases(values: list[Value], path: Path) -> list[tuple[dict[Cond, bool], list[Value]]]:
    """Every consistent set of answers that settles `values`, with the values it gives. Empty if there are too many."""
    todo: list[tuple[dict[Cond, bool], list[Value]]] = [(dict(path), [expand(v) for v in values])]
    done: list[tuple[dict[Cond, bool], list[Value]]] = []
    while todo:
        answers, left = todo.pop()
        left = [under(v, answers) for v in left]
        cond = next((c for v in left for c in conditions(v) if decide(c, answers) is None), None)
        if cond is None:
            done.append((answers, left))
        else:
            todo += [({**answers, cond: True}, left), ({**answers, cond: False}, left)]
        if len(done) + len(todo) > MAX_CASES:
            return []
    return done


class Verdict(tuple[Confidence, list[Value]]):
    """How sure a failure is, and the values of a case in which it happens; `assumed` are the answers of that case."""

    assumed: Path

    @classmethod
    def of(cls, confidence: Confidence, case: tuple[dict[Cond, bool], list[Value]], path: Path) -> Verdict:
        """A verdict on what `path` leads to."""
        made = cls((confidence, case[1]))
        made.assumed = {cond: answer for cond, answer in case[0].items() if cond not in path}
        return made


def judge(values: list[Value], path: Path, test: Test, versions: VersionSet | None = None) -> Verdict | None:
    """How sure it is that `test` fails for `values` on `path`, and the values of a case in which it does.

    `versions` are those of torch in which a failure is one (default: all); cases of others are no cases.

    `certain` if it fails in every case in which nothing raises and every loop runs; `likely` if it fails in the usual
    case, with all values known; else `possible`. None if it fails in no case.
    """
    found = [
        (answers, given, test(given))
        for answers, given in cases(values, path)
        if not any(
            c not in path and ((c.kind == "exception" and a) or (c.kind == "loop" and not a))
            for c, a in answers.items()
        )
        and (versions is None or among(versions, answers))
    ]
    failing = [(answers, given) for answers, given, fails in found if fails]
    if not failing:
        return None
    if len(failing) == len(found):
        return Verdict.of(Confidence.CERTAIN, failing[0], path)
    for case in failing:
        own = Verdict.of(Confidence.LIKELY, case, path)
        if all(c.kind == "version" or usual(c) == a for c, a in own.assumed.items()) and not _is_called_otherwise(
            own.assumed, path
        ):
            return own
    return Verdict.of(Confidence.POSSIBLE, failing[0], path)


def _is_called_otherwise(own: Path, path: Path) -> bool:
    """Whether `own` assumes defaults of a function that is surely called with other arguments than its defaults.

    A caller that gives one of them, as the path says, may give the others, too.
    """
    functions = {key.partition("(")[0] for key in map(_subject, own) if key.endswith(")")}
    return any(
        usual(cond) not in (None, answer) and f"{_subject(one)}(".partition("(")[0] in functions
        for cond, answer in (path.items() if functions else ())
        for one in (cond.joined.asked if isinstance(cond.joined, Joined) else (cond,))
    )


def _subject(cond: Cond) -> str:
    """What a condition asks about; empty where it is not one value."""
    return str(cond.key[1]).strip("<>") if len(cond.key) > 1 else ""


def among(versions: VersionSet, answers: Path) -> VersionSet:
    """Those of `versions` in which the questions about the version are answered so."""
    for cond, answer in answers.items():
        if cond.key[0] == "version" and isinstance(cond.key[1], VersionSet):
            versions = versions & cond.key[1] if answer else versions - cond.key[1]
    return versions


@overload
def weaker(*confidences: Confidence) -> Confidence: ...
@overload
def weaker(*confidences: Confidence | Verdict) -> Confidence | Verdict: ...
def weaker(*confidences: Confidence | Verdict) -> Confidence | Verdict:
    """The least sure of several; a verdict rather than what says no more."""
    order = [Confidence.CERTAIN, Confidence.LIKELY, Confidence.POSSIBLE]
    verdicts = [one if isinstance(one, Verdict) else (one,) for one in confidences]
    least = max(range(len(verdicts)), key=lambda index: (order.index(verdicts[index][0]), len(verdicts[index])))
    return confidences[least]


def reached(path: Path, before: Path) -> Confidence | None:
    """How sure it is that code runs on this path, where that of `before` was taken; None in what rarely runs.

    That is the handler of an exception, or what stands behind a loop without a round.
    """
    own = {cond: answer for cond, answer in path.items() if cond not in before}
    if any(
        (cond.kind == "exception" and answer) or (cond.kind == "loop" and not answer) for cond, answer in own.items()
    ):
        return None
    plain = [(cond, answer) for cond, answer in own.items() if cond.kind not in ("exception", "loop")]
    found = (Confidence.LIKELY if usual(cond) == answer else Confidence.POSSIBLE for cond, answer in plain)
    return weaker(Confidence.CERTAIN, *found)


def dtypes_differ(first: str, second: str) -> Confidence:
    """How sure it is that what seems to be of these two dtypes (`float32`) is not of one.

    Which floating dtype a tensor has may hang on the default dtype, which any import may set.
    """
    floating = {"float16", "bfloat16", "float32", "float64"}
    return Confidence.LIKELY if {first, second} <= floating and "float32" in (first, second) else Confidence.CERTAIN


def catches(types: Iterable[str], *raised: str) -> bool:
    """Whether one of the exception types catches one of those raised (or everything)."""
    return bool({*raised, "Exception", "BaseException"} & set(types))
