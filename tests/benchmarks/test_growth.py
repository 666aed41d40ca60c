"""What the benchmark of growth measures, and how it judges."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.cli.main import main
from benchmarks.growth import Growth
from benchmarks.measure import Sample
from benchmarks.shapes import SHAPES


@pytest.mark.parametrize("name", SHAPES)
def test_an_input_is_taken(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = SHAPES[name][1](3, tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(words) in (0, 1)
    assert "Analysed 0" not in capsys.readouterr().out


def growth(*seconds: float | None) -> Growth:
    return Growth("x", 10, tuple(None if s is None else Sample(s, 40.0) for s in seconds), Sample(0.5, 40.0))


@pytest.mark.parametrize(
    ("seconds", "exponent", "fine"),
    [
        ((1.5, 2.5, 4.5), 1.0, True),
        ((1.5, 4.5, 16.5), 2.0, False),
        ((0.5, 0.51, 0.53), None, True),
        ((0.5, 0.55, 5.5), 6.6, False),
        ((1.5, None, None), None, False),
        ((None, None, 0.5), None, False),
    ],
)
def test_growth_is_judged(seconds: tuple[float | None, ...], exponent: float | None, fine: bool) -> None:
    found = growth(*seconds)
    assert found.fine is fine
    assert found.time == (None if exponent is None else pytest.approx(exponent, abs=0.1))
    assert found.memory is None
