"""Sets of torch minor versions: the only form in which versions travel through the linter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

MINORS: tuple[str, ...] = tuple(f"2.{n}" for n in range(4, 16))
"""The supported torch minors, oldest first."""

_INDEX = {minor: index for index, minor in enumerate(MINORS)}
_ALL = (1 << len(MINORS)) - 1
_NEWEST = (2, 15)


_KNOWN: dict[int, VersionSet] = {}
"""The sets that operations gave, by their bits: they are few, and asked for all the time."""


class Unsupported(ValueError):
    """Versions that are none of the supported ones."""


class VersionSet:
    """An immutable, ordered set of supported torch minors.

    `|`, `&`, `-`, `<=`, `in`, `len`, iteration (oldest first, as text such as "2.13"), equality and hashing work as for
    `frozenset`; it is true when it is not empty. `str()` is for people: "2.8–2.15", "2.4, 2.6–2.8", "none".
    """

    __slots__ = ("_bits",)
    _bits: int

    def __init__(self, minors: Iterable[str] = ()) -> None:
        """Take minors such as "2.13". Raises `ValueError` for one that is not supported."""
        bits = 0
        for minor in minors:
            if minor not in _INDEX:
                raise ValueError(f"{minor!r} is no supported torch minor ({MINORS[0]} to {MINORS[-1]})")
            bits |= 1 << _INDEX[minor]
        object.__setattr__(self, "_bits", bits)

    @classmethod
    def _of_bits(cls, bits: int) -> VersionSet:
        known = _KNOWN.get(bits)
        if known is None:
            known = _KNOWN[bits] = cls.__new__(cls)
            object.__setattr__(known, "_bits", bits)
        return known

    @classmethod
    def between(cls, first: str, last: str) -> VersionSet:
        """All supported minors from `first` to `last`, both included; ends outside the supported range are cut off."""
        low, high = release(first)[:2], release(last)[:2]
        return cls(minor for minor, cell in zip(MINORS, _CELLS, strict=True) if low <= cell <= high)

    @classmethod
    def since(cls, first: str) -> VersionSet:
        """All supported minors from `first` on."""
        return cls.between(first, MINORS[-1])

    @classmethod
    def parse(cls, text: str) -> VersionSet:
        """Read a version, a range or a requirement.

        Taken: "2.13", "2.13.1", "2.8, 2.9", "2.13.0+cpu", "2.8..2.15", "2.8.." and "..2.15" (both ends included), and
        comma-separated requirements as pip and poetry write them (">=2.8,<2.12", "~=2.8.0", "==2.9.*", "^2.5", "*").
        Several choices may be joined by "||". A minor is in the set when some release of it fits.
        Raises `ValueError` with a message for people when the text cannot be read; `Unsupported`, a kind of it,
        when it names no supported minor.
        """
        bits = 0
        listed = text.split(",")
        plain = all(re.fullmatch(r"\s*\d+\.\d+(\.\d+)?\s*", one) for one in listed)
        parts = listed if plain else text.strip().split("||")
        for part in parts:
            bits |= _parse_choice(part.strip())
        if not bits:
            raise Unsupported(
                f"torch {text.strip()} is outside the supported versions ({MINORS[0]} to {MINORS[-1]})",
            )
        return cls._of_bits(bits)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a VersionSet cannot be changed")

    def __or__(self, other: VersionSet) -> VersionSet:
        return VersionSet._of_bits(self._bits | other._bits)

    def __and__(self, other: VersionSet) -> VersionSet:
        return VersionSet._of_bits(self._bits & other._bits)

    def __sub__(self, other: VersionSet) -> VersionSet:
        return VersionSet._of_bits(self._bits & ~other._bits)

    def __le__(self, other: VersionSet) -> bool:
        return not self._bits & ~other._bits

    def __invert__(self) -> VersionSet:
        """The supported minors that are not in the set."""
        return VersionSet._of_bits(_ALL & ~self._bits)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, VersionSet) and self._bits == other._bits

    def __hash__(self) -> int:
        return hash(("VersionSet", self._bits))

    def __reduce__(self) -> tuple[type[VersionSet], tuple[tuple[str, ...]]]:
        return VersionSet, (tuple(self),)

    def __bool__(self) -> bool:
        return self._bits != 0

    def __len__(self) -> int:
        return self._bits.bit_count()

    def __iter__(self) -> Iterator[str]:
        return (minor for index, minor in enumerate(MINORS) if self._bits >> index & 1)

    def __contains__(self, minor: object) -> bool:
        return isinstance(minor, str) and minor in _INDEX and bool(self._bits >> _INDEX[minor] & 1)

    @property
    def first(self) -> str:
        """The oldest minor. Raises `ValueError` when the set is empty."""
        for minor in self:
            return minor
        raise ValueError("an empty VersionSet has no first minor")

    @property
    def last(self) -> str:
        """The newest minor. Raises `ValueError` when the set is empty."""
        if not self._bits:
            raise ValueError("an empty VersionSet has no last minor")
        return MINORS[self._bits.bit_length() - 1]

    def intervals(self) -> list[tuple[str, str]]:
        """The runs of neighbouring minors, as (first, last) with both ends included."""
        runs: list[tuple[str, str]] = []
        before = -2
        for minor in self:
            index = _INDEX[minor]
            runs[-1:] = [(runs[-1][0], minor)] if index == before + 1 else [*runs[-1:], (minor, minor)]
            before = index
        return runs

    def __str__(self) -> str:
        parts = [first if first == last else f"{first}–{last}" for first, last in self.intervals()]
        return ", ".join(parts) or "none"

    def __repr__(self) -> str:
        return f"VersionSet({list(self)!r})"


def release(text: str) -> tuple[int, ...]:
    """The numbers of a version: "v2.13.0+cpu" -> (2, 13, 0), "2.14.0.dev2026" -> (2, 14, 0), "2" -> (2, 0).

    Raises `ValueError` when the text does not begin with a number.
    """
    found = re.match(r"[vV]?(\d+(?:\.\d+)*)", text.strip())
    if not found:
        raise ValueError(f"{text.strip()!r} is no version")
    numbers = tuple(map(int, found[1].split(".")))
    return numbers if len(numbers) > 1 else (*numbers, 0)


_CELLS = tuple(map(release, MINORS))


def _bits_where(low: tuple[int, ...], high: tuple[int, ...], *, with_high: bool = True) -> int:
    """The minors some release of which lies between `low` (included) and `high`."""
    bits = 0
    for index, cell in enumerate(_CELLS):
        # "<2.8.1" lets 2.8.0 in, "<2.8" does not.
        excluded = cell == high[:2] and not with_high and not any(high[2:])
        if low[:2] <= cell <= high[:2] and not excluded:
            bits |= 1 << index
    return bits


def _parse_choice(choice: str) -> int:
    if len(choice) > 1_000:
        raise ValueError(f"a text of {len(choice)} characters is no torch version")
    first, dots, last = choice.partition("..")
    if dots:
        low = release(first) if first.strip() else (0, 0)
        high = release(last) if last.strip() else max(low, _NEWEST)
        if low[:2] > high[:2]:
            raise ValueError(f"{choice!r} is an empty range: {first.strip()} is newer than {last.strip()}")
        return _bits_where(low, high)
    bits, end = _ALL, 0
    for clause in re.finditer(r"\s*(?:(===|[=~!<>]=|[<>^~=])\s*)?([vV]?\d[^\s,]*|\*)\s*(?:,|$|\s)", choice):
        if clause.start() != end:
            break
        end = clause.end()
        bits &= _parse_clause(clause[1] or "", clause[2])
    if not choice or end != len(choice):
        raise ValueError(f"{choice!r} is no torch version: write 2.13, 2.8..2.15 or >=2.8,<2.12")
    return bits


def _parse_clause(operator: str, text: str) -> int:
    if text == "*":
        return _ALL
    version = release(text)
    next_major = (version[0] + 1, 0)
    if operator in (">=", ">"):
        return _bits_where(version, (_NEWEST[0] + 1, 0))
    if operator in ("<=", "<"):
        return _bits_where((0, 0), version, with_high=operator == "<=")
    if operator == "!=":
        # Only "!=2.9.*" takes away a whole minor; "!=2.9.0" leaves its other releases.
        whole = text.endswith(".*") and text.count(".") == 2
        return _ALL & ~_bits_where(version, version) if whole else _ALL
    any_minor = "." not in text.removesuffix(".*") and (operator in ("", "=") or text.endswith(".*"))
    if operator == "^" or any_minor or (operator == "~=" and len(version) == 2):
        return _bits_where(version, next_major, with_high=False)
    return _bits_where(version, version)


SUPPORTED = VersionSet(MINORS)
"""Every torch minor the linter knows."""
