"""Frames in one piece: the same call from there, however large the frame claims to be."""

from __future__ import annotations

import sys

import pytest

from aoti_lint.machine.one_stack import WORDS, on_one_stack


@on_one_stack
def _depth(levels: int, *, by: int = 1) -> int:
    """How deep it went."""
    return by + _below(levels - by) if levels > 0 else 0


def _below(levels: int) -> int:
    return 1 + _below(levels - 1) if levels > 0 else 0


def test_what_is_run_there_is_given_and_gives_what_it_would() -> None:
    assert _depth(100, by=2) == 100
    assert (_depth.__name__, _depth.__doc__) == ("_depth", "How deep it went.")


def test_an_exception_passes() -> None:
    @on_one_stack
    def fails() -> None:
        raise KeyError("this")

    with pytest.raises(KeyError, match="this"):
        fails()


def test_a_piece_has_room_for_all_frames_beside_the_one_that_claims_it() -> None:
    words = 1
    while words < WORDS:
        words *= 2
    largest_frame = 100
    assert words - WORDS > sys.getrecursionlimit() * largest_frame
