"""`VersionSet`: parsing, text and set operations."""

from __future__ import annotations

import copy
import pickle

import pytest

from aoti_lint.torch_api.versions import MINORS, SUPPORTED, VersionSet, release


def test_supported_is_every_minor_in_order() -> None:
    assert list(SUPPORTED) == list(MINORS)
    assert (SUPPORTED.first, SUPPORTED.last) == ("2.4", "2.15")
    assert str(SUPPORTED) == "2.4–2.15"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("2.13", "2.13"),
        ("2.13.1", "2.13"),
        ("v2.13.0+cpu", "2.13"),
        ("2.14.0.dev20260801+cu130", "2.14"),
        ("2.8..2.15", "2.8–2.15"),
        ("2.8, 2.10", "2.8, 2.10"),
        ("2.8,2.9.1", "2.8–2.9"),
        (" 2.8 .. 2.10.1 ", "2.8–2.10"),
        ("2.12..", "2.12–2.15"),
        ("..2.5", "2.4–2.5"),
        ("2.0..2.5", "2.4–2.5"),
        ("2", "2.4–2.15"),
        ("2.*", "2.4–2.15"),
        ("==2.*", "2.4–2.15"),
        ("*", "2.4–2.15"),
        (">=2.8,<2.12", "2.8–2.11"),
        (">= 2.8, < 2.12", "2.8–2.11"),
        (">=2.8 <2.12", "2.8–2.11"),
        (">=2.8,<2.12,", "2.8–2.11"),
        (">=2.4.1", "2.4–2.15"),
        (">=1.13", "2.4–2.15"),
        (">2.12", "2.12–2.15"),
        ("<2.5.1", "2.4–2.5"),
        ("<2.5.0", "2.4"),
        ("<=2.5", "2.4–2.5"),
        ("<3", "2.4–2.15"),
        ("==2.9.*", "2.9"),
        ("=2.9", "2.9"),
        ("===2.9.1", "2.9"),
        (">=2.8,!=2.9.*,<2.11", "2.8, 2.10"),
        (">=2.8,!=2.9.0,<2.11", "2.8–2.10"),
        ("~=2.9.0", "2.9"),
        ("~=2.12", "2.12–2.15"),
        ("^2.13", "2.13–2.15"),
        ("~2.7", "2.7"),
        ("2.4 || >=2.14", "2.4, 2.14–2.15"),
    ],
)
def test_parse(text: str, shown: str) -> None:
    assert str(VersionSet.parse(text)) == shown


@pytest.mark.parametrize("text", ["", "  ", "new", ">=", ">=2.8 and <2.9", "2.8...", "2.8,,2.9", "2.8||", "=>2.8"])
def test_parse_refuses_what_it_cannot_read(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no (torch )?version"):
        VersionSet.parse(text)


@pytest.mark.parametrize("text", ["2.3", "1.13.1", "2.16", ">=2.16", "<2.4", "3", ">=2.9,<2.8"])
def test_parse_names_the_supported_range_when_nothing_fits(text: str) -> None:
    with pytest.raises(ValueError, match=r"outside the supported versions \(2\.4 to 2\.15\)"):
        VersionSet.parse(text)


def test_parse_names_a_turned_range() -> None:
    with pytest.raises(ValueError, match=r"empty range: 2\.9 is newer than 2\.8"):
        VersionSet.parse("2.9..2.8")


def test_set_operations() -> None:
    low, high = VersionSet.between("2.4", "2.9"), VersionSet.since("2.8")
    assert str(low & high) == "2.8–2.9"
    assert low | high == SUPPORTED
    assert str(low - high) == "2.4–2.7"
    assert str(~high) == "2.4–2.7"
    assert low & high <= low
    assert not low <= high
    assert [minor in low for minor in ("2.3", "2.4", "2.9", "2.10")] == [False, True, True, False]
    assert len(low) == 6
    assert not VersionSet()
    assert VersionSet(["2.9", "2.4"]) == VersionSet(["2.4", "2.9"])
    assert VersionSet(["2.9", "2.4"]) != ["2.4", "2.9"]
    assert len({VersionSet(["2.4"]), VersionSet.parse("2.4"), VersionSet()}) == 2


def test_text_and_intervals() -> None:
    some = VersionSet(["2.4", "2.6", "2.7", "2.8"])
    assert str(some) == "2.4, 2.6–2.8"
    assert some.intervals() == [("2.4", "2.4"), ("2.6", "2.8")]
    assert str(VersionSet()) == "none"
    assert repr(VersionSet(["2.4"])) == "VersionSet(['2.4'])"


def test_immutable_and_copyable() -> None:
    some = VersionSet.parse("2.8..2.9")
    with pytest.raises(AttributeError):
        some.extra = 1
    assert copy.deepcopy(some) == pickle.loads(pickle.dumps(some)) == some


def test_unsupported_minor_is_refused() -> None:
    with pytest.raises(ValueError, match="no supported torch minor"):
        VersionSet(["2.3"])
    with pytest.raises(ValueError, match="no first minor"):
        _ = VersionSet().first
    with pytest.raises(ValueError, match="no last minor"):
        _ = VersionSet().last


def test_release_numbers() -> None:
    assert release("2.13.0+cu130") == (2, 13, 0)
    assert release("2") == (2, 0)
