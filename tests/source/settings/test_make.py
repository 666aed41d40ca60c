"""Makefiles: what their recipes start, and with what."""

from __future__ import annotations

import pytest

from tests.source.settings.reading import read, starts


def started(text: str) -> list[tuple[str, tuple[str | None, ...] | None]]:
    return [(one.command, one.words) for one in read("Makefile", text).starts]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("all:\n\tpython a.py x\n", [("a.py", ("x",))]),
        ("OUT := a.pt2\nPY ?= python3\nall:\n\t@$(PY) a.py --out ${OUT}\n", [("a.py", ("--out", "a.pt2"))]),
        ("A = $(B)\nB = x # why\nB += y\nall:\n\t-python a.py $(A)\n", [("a.py", ("x", "y"))]),
        ("serve: build\n\tpython serve.py\nbuild:\n\tpython build.py\n", [("build.py", ()), ("serve.py", ())]),
        ("net.pt2: build.py\n\tpython $< $@\n", [("build.py", ("net.pt2",))]),
        ("all:\n\tpython a.py \\\n\t\tx y\n", [("a.py", ("x", "y"))]),
        ("all:\n\tfor n in 1 2; do python a.py $$n; done\n", [("a.py", None), ("a.py", None)]),
        ("all:\n\tpython a.py $(shell date) $(OTHER)\n", [("a.py", None)]),
        ('all:\n\tpython a.py "$(OTHER)"\n', [("a.py", (None,))]),
        ("a b:\n\tpython $@.py\n", [("a.py", ()), ("b.py", ())]),
        ("a: a\n\tpython a.py\n", [("a.py", ())]),
        ("# a:\n#\tpython a.py\n", []),
        ("A = 1\nifdef B\nA = 2\nelse\nA = 3\nendif\nall:\n\tpython a.py '$(A)' x\n", [("a.py", (None, "x"))]),
        ("ifeq ($(A),1)\nall:\n\tpython a.py\nendif\nb:\n\tpython b.py\n", [("b.py", ())]),
        (".PHONY: all\nall: X = 1\nifeq ($(X),1)\nendif\n", []),
    ],
)
def test_what_is_started(text: str, expected: list[tuple[str, tuple[str | None, ...] | None]]) -> None:
    assert started(text) == expected


def test_variables_of_the_environment() -> None:
    text = "export A = 1\nB = 2\nexport B\nC = 3\nall:\n\tD=$(C) python a.py\n"
    assert starts("Makefile", text) == [("a.py", {"A": "1", "B": "2", "D": "3"})]


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"A{n} = {f'$(A{n + 1})' * 50}\n" for n in range(20)) + "all:\n\tpython a.py $(A0)\n",
        "".join(f"t{n}: {' '.join(f't{k}' for k in range(200))}\n\tpython a.py\n" for n in range(200)),
        "A" + " " * 200_000 + "\n" + "x :" * 50_000 + "\n",
        "all:\n\tpython a.py " + "$(" * 100_000 + "\n",
    ],
)
def test_hostile_ones_end(text: str) -> None:
    assert all(one.command == "a.py" for one in read("Makefile", text).starts)
