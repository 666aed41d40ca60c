"""Conditions the interpreter could not decide, and what is assumed of them on the current path."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from aoti_lint.diagnostics import Span
from aoti_lint.lazily.dataclass import dataclass, field

Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Cond:
    """A question with two answers, identified by `key`: the same key is the same question wherever it is asked.

    `kind` says what decides it: `machine` (is there a GPU), an option of the command line, a variable of the
    environment or a parameter (`default` if its default says yes, `option` if its default says no, `choice` if the
    user must choose), `version` (the torch release), `exception` (something raised), `loop` (the loop ran), `unknown`.
    `text` is how a message speaks of it, `span` where it comes from if a message says that, too. A question that joins
    others (`bool`) holds what they say together in `joined` (`values/assumptions.py`).
    """

    key: Key
    kind: str = field(default="unknown", compare=False)
    text: str = field(default="", compare=False)
    span: Span | None = field(default=None, repr=False, compare=False)
    joined: object = field(default=None, repr=False, compare=False)
    _hash: int = field(default=0, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash(self.key))

    def __hash__(self) -> int:
        return self._hash


TRIED = "tried"
"""How the key of the question begins whether the same went well when it was tried, as a draft export tells."""
FULL_BATCH = "full batch"
"""How the key of the question begins whether a batch is full; the place of its loader follows."""
LAST_BATCH = "last batch"
"""The same for the question whether it is the last one, which is smaller."""
FIRST_ROUND = {FULL_BATCH: True, LAST_BATCH: False}
"""How they are answered for the first batch of several."""


Path = Mapping[Cond, bool]
"""What is assumed: the answers to some questions."""


def decide(cond: Cond, path: Path) -> bool | None:
    """What `path` says of `cond`: its own answer, or one that follows from what is assumed of the same value."""
    known = path.get(cond)
    if known is not None:
        return known
    kind = cond.key[0]
    if kind == "size":
        return False if any(answer and _is_other_number(cond, other) for other, answer in path.items()) else None
    if kind not in ("eq", "says"):
        return None
    for other, answer in path.items():
        if other.key[0] in ("eq", "says") and other.key[1] == cond.key[1]:
            if kind == "says" and answer and other.key[0] == "eq":
                return _says(cond, other.key[2])
            if kind == "eq" and other.key[0] == "says" and _says(other, cond.key[2]) == (not answer):
                return False
            if answer and kind == other.key[0] and _exclude(cond, other):
                return False
    return False if kind == "eq" and _is_folded_away(cond, path) else None


FOLDS: dict[str, Callable[[str], str]] = {
    ".lower()": str.lower,
    ".upper()": str.upper,
    ".casefold()": str.casefold,
    ".strip()": str.strip,
}
"""Methods of texts, as the keys of what they give end."""


def subject_of(cond: Cond) -> object:
    """What a question is about whose answer may follow from that to another one; None of any other question."""
    if cond.key[0] not in ("eq", "says"):
        return None
    subject = cond.key[1]
    fold = next((f for f in FOLDS if isinstance(subject, str) and subject.endswith(f)), None)
    return subject[: -len(fold)] if isinstance(subject, str) and fold else subject


def _is_folded_away(cond: Cond, path: Path) -> bool:
    """Whether what is assumed of a text in small letters, say, rules out that the text itself is this one."""
    _, subject, value = cond.key
    text = getattr(value, "value", None)
    if not isinstance(text, str) or not isinstance(subject, str):
        return False
    for other, answer in path.items():
        if other.key[0] == "eq" and isinstance(other.key[1], str) and other.key[1].startswith(f"{subject}."):
            fold = FOLDS.get(other.key[1][len(subject) :])
            if fold is not None and (fold(text) == getattr(other.key[2], "value", None)) != answer:
                return True
    return False


def _says(cond: Cond, value: object) -> bool | None:
    """What a question about a text (`says`, subject, method, arguments) says of a constant; None of anything else."""
    _, _, name, args = cond.key
    text = getattr(value, "value", None)
    if not isinstance(text, str) or not isinstance(name, str) or not isinstance(args, tuple):
        return None
    return bool(getattr(text, name)(*args))


def _is_other_number(cond: Cond, other: Cond) -> bool:
    """Whether two questions compare one size with two numbers that differ."""
    if cond.key[:3] != other.key[:3] or cond.key[1] != "==":
        return False
    one, two = str(cond.key[3]), str(other.key[3])
    return one != two and one.isdecimal() and two.isdecimal()


def _exclude(cond: Cond, other: Cond) -> bool:
    """Whether two questions of one kind about one value cannot both be answered with yes."""
    if cond.key[0] == "eq":
        # Of two things that are compared with by name, such as two options, nobody knows that they differ.
        one, two = (getattr(c.key[2], "value", None) for c in (cond, other))
        return one is not None and two is not None and bool(one != two)
    first, second = cond.key[3], other.key[3]
    if cond.key[2] != "startswith" or other.key[2] != "startswith":
        return False
    one, two = (p[0] if isinstance(p, tuple) and p else None for p in (first, second))
    return isinstance(one, str) and isinstance(two, str) and not one.startswith(two) and not two.startswith(one)


def consistent(literals: Iterable[tuple[Cond, bool]]) -> dict[Cond, bool] | None:
    """The literals as one path, or None if they contradict each other."""
    path: dict[Cond, bool] = {}
    for cond, answer in literals:
        known = decide(cond, path)
        if known is not None and known != answer:
            return None
        path[cond] = answer
    return path


def common(paths: list[dict[Cond, bool]]) -> dict[Cond, bool]:
    """The answers that all paths have; none where there is no path."""
    first, *rest = paths or [{}]
    found = dict(first)
    for path in rest:
        found = {cond: answer for cond, answer in found.items() if path.get(cond) == answer}
    return found


def option_kind(by_default: bool | None) -> str:
    """The kind of a question about an option that its default answers so; None where no default answers it."""
    return "choice" if by_default is None else "default" if by_default else "option"


USUAL = {"default": True, "loop": True, "assumed": True, "machine": True, "exception": False, "option": False}


def usual(cond: Cond) -> bool | None:
    """The usual answer: defaults hold, flags are off, nothing raises, loops run, there is a GPU. None: either."""
    return USUAL.get(cond.kind)
