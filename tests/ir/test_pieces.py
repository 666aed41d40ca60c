"""What stands where in a source is told apart by what it is."""

from __future__ import annotations

import pytest

from aoti_lint.ir.lower import lower
from aoti_lint.ir.pieces import Pieces, pieces_of

SOURCE = '''\
"""What it is."""
import torch

size = 1

@torch.no_grad()
def run(x):
    def inner():
        return x
    return inner

def run(x):
    return x

class Model(torch.nn.Module):
    LIMIT = 8

    class Inner:
        def forward(self):
            pass

    def forward(self, x):
        return x

if size:
    def chosen():
        pass
'''


def pieces(text: str) -> Pieces:
    return Pieces("abc", pieces_of(lower(text, "a.py"), text.encode()))


def around(marker: str, length: int = 1) -> str:
    """The name of the piece in which something stands."""
    start = SOURCE.index(marker)
    return pieces(SOURCE).around(start, start + length).name


@pytest.mark.parametrize(("marker", "name"), [
    ("@torch", "run"), ("inner()", "run"), ("return inner", "run"), ("class Model", "Model"),
    ("class Inner", "Model.Inner"), ("def forward(self):", "Model.Inner.forward"),
    ("def forward(self, x)", "Model.forward"),
])  # fmt: skip
def test_definitions_go_by_their_names(marker: str, name: str) -> None:
    """The innermost that is no part of a function; decorators belong to what they decorate."""
    assert around(marker) == name


def test_several_of_one_name_are_counted() -> None:
    start = SOURCE.index("def run", SOURCE.index("return inner"))
    assert pieces(SOURCE).around(start, start).name == "run#2"


def test_others_go_by_their_texts() -> None:
    """Also what stands below a condition: a change of the condition makes it another piece."""
    assert around("size = 1").startswith("=")
    assert around("LIMIT = 8").startswith("Model.=")
    assert around("def chosen") == around("if size")
    other = SOURCE.replace("if size", "if not size")
    assert pieces(other).find(around("if size")) is None
    assert pieces(other).find("Model.forward") is not None


def test_what_is_in_no_piece_is_there_while_the_content_is_the_same() -> None:
    """Between two statements, and over several."""
    known = pieces(SOURCE)
    assert known.around(SOURCE.index("\n\nsize"), SOURCE.index("\n\nsize") + 1).name == "@abc"
    assert known.around(SOURCE.index("import torch"), SOURCE.index("size = 1") + 4).name == "@abc"
    assert known.around(0, len(SOURCE)).start == 0
    assert Pieces("def", []).find("@abc") is None


def test_lines_above_change_no_piece() -> None:
    """But where it stands."""
    before, after = pieces(SOURCE), pieces(SOURCE.replace("import torch\n", "import torch\n# a word\n\n"))
    for name in ("run", "run#2", "Model", "Model.forward", "Model.Inner.forward", around("if size")):
        one, other = before.find(name), after.find(name)
        assert one is not None
        assert other is not None
        assert (one.text, one.start + len("# a word\n\n")) == (other.text, other.start)


def test_a_definition_is_known_by_all_of_its_text() -> None:
    """With its decorators, and of a class with its methods."""
    edits = [
        ("no_grad", "enable_grad", {"run"}), ("LIMIT = 8", "LIMIT = 9", {"Model"}),
        ("            pass", "            ...", {"Model", "Model.Inner", "Model.Inner.forward"}),
    ]  # fmt: skip
    for old, new, changed in edits:
        before, after = pieces(SOURCE), pieces(SOURCE.replace(old, new, 1))
        for name in ("run", "run#2", "Model", "Model.forward", "Model.Inner", "Model.Inner.forward"):
            one, other = before.find(name), after.find(name)
            assert one is not None
            assert other is not None
            assert (one.text != other.text) == (name in changed)
