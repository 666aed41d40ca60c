"""The harness breaks what it says it breaks, and the linter finds what of that can be known."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.mutation import written
from tests.mutation.analysis import run
from tests.mutation.measure import Measure, begin, files_with_fakes, findings_in_fakes, measure_all, rounds
from tests.mutation.mutators import mutants, names
from tests.mutation.source import Fake, Text, apply

CORPUS = Path(__file__).parent / "corpus"
SOURCES = json.loads((CORPUS / "sources.json").read_text(encoding="utf-8"))

FAKE = b'''import torch

@torch.library.custom_op("my::op", mutates_args=())
def op(x: torch.Tensor, w: torch.Tensor, n: int) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.empty(1), torch.empty(2)

@op.register_fake
def _(x: torch.Tensor, w: torch.Tensor, n: int) -> tuple[torch.Tensor, torch.Tensor]:
    """What it gives back."""
    rows, cols = x.shape
    torch._check(cols == w.shape[0])
    out = x.new_empty((rows, w.shape[1]), dtype=torch.bfloat16)
    return out, torch.empty(rows, cols, device=x.device, dtype=x.dtype)
'''
BROKEN = {
    "int": ["x.new_empty((int(rows), w.shape[1])", "x.new_empty((rows, int(w.shape[1]))"],
    "freeze": ["x.new_empty((8, w.shape[1])", "x.new_empty((rows, 8)"],
    "len": [],
    "range": ["for _row in range(w.shape[0]):\n        pass\n    rows"],
    "percent": ['_key = "%d" % w.shape[0]\n    rows'],
    "branch": ["    if w.shape[0] == 4:\n        return out, torch.empty("],
    "item": ["_first = x.item()\n    rows"],
    "drop-output": ["return (out, )"],
    "none": ["return None"],
    "dtype": ["w.shape[1]), dtype=torch.float64)", "device=x.device, dtype=torch.float64)"],
    "dtype-dropped": ["x.new_empty((rows, w.shape[1]))", "torch.empty(rows, cols, device=x.device)"],
    "device-dropped": ["torch.empty(rows, cols, dtype=x.dtype)"],
    "device-fixed": ['torch.empty(rows, cols, device="cuda", dtype=x.dtype)'],
    "swap": ["x.new_empty((w.shape[1], rows)", "torch.empty(cols, rows, device"],
    "other-size": ["x.new_empty((rows, w.shape[0])"],
    "input": ["return x, torch.empty(rows"],
    "parameter": ["def _(x: torch.Tensor, w: torch.Tensor) -> tuple"],
    "misspelt": ["rows, cols = x_x.shape", "out = x_x.new_empty"],
}


def of_text(data: bytes) -> Fake:
    text = Text(data)
    return Fake(text, written.fakes(text.tree)[0], schema=True, kernel=False)


@pytest.mark.parametrize("name", names())
def test_a_mutator_breaks_one_place(name: str) -> None:
    fake = of_text(FAKE)
    texts = [apply(FAKE, list(m.edits)).decode() for m in mutants(fake) if m.mutator == name]
    assert len(texts) == len(BROKEN[name])
    for text, part in zip(texts, BROKEN[name], strict=True):
        assert part in text
        assert part not in FAKE.decode()


def test_what_is_not_there_cannot_be_broken() -> None:
    fake = of_text(
        b"@torch.library.register_fake('my::op')\ndef _(x):\n    assert x.size(0) > 1, f'{x.size(1)}'\n    return\n"
    )
    assert {m.mutator for m in mutants(fake)} == {"range", "percent", "item"}


@pytest.fixture(scope="module", params=sorted(SOURCES))
def package(request: pytest.FixtureRequest) -> tuple[str, Measure]:
    folder = CORPUS / request.param
    return request.param, begin(str(folder), files_with_fakes(str(folder)))


def test_the_corpus_is_what_its_sources_say(package: tuple[str, Measure]) -> None:
    name, measure = package
    found = Counter((s.path, s.fake.node.name) for s in measure.subjects)
    said = Counter((path, fake) for path, fakes in SOURCES[name]["fakes"].items() for fake in fakes)
    assert not said - found


def test_mutants_can_be_parsed(package: tuple[str, Measure]) -> None:
    """With the same functions in the same order: findings are told by these."""
    for path, number, changed in rounds(package[1].subjects):
        text = next(s.fake.text for s in package[1].subjects if s.path == path)
        assert [f.name for f in Text(changed).functions] == [f.name for f in text.functions], (path, number)


@pytest.mark.parametrize("name", ["bitsandbytes", "torchvision"])
def test_what_a_fake_alone_shows_is_found(name: str) -> None:
    """The script measures all packages; these two are quick, and tell when something is lost."""
    folder = CORPUS / name
    measure = begin(str(folder), files_with_fakes(str(folder)))
    assert not [line for line in findings_in_fakes(measure) if " possible: " not in line]
    measure_all(measure)
    alone = [one for one in measure.outcomes if one.mutant.knowable == "alone"]
    assert len(alone) > 90
    assert sum(one.killed for one in alone) >= 0.9 * len(alone)


def test_a_comma_ends_the_outputs(tmp_path: Path) -> None:
    """As fbgemm_gpu writes what its fakes return."""
    (tmp_path / "a.py").write_text(
        "import torch\n\n@torch.library.register_fake('a::b')\n"
        "def _(x: torch.Tensor) -> tuple[\n    torch.Tensor,\n    torch.Tensor | None,\n]:\n"
        "    return torch.empty_like(x), None\n",
        encoding="utf-8",
    )
    assert [one.code for one in run(str(tmp_path), ["a.py"], {})[1]] == ["AOTI418"]
