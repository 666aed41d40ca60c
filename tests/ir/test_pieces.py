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


def around(marker: str) -> str:
    """The name of the piece in which something stands."""
    return pieces(SOURCE).around(SOURCE.index(marker)).name


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
    assert pieces(SOURCE).around(start).name == "run#2"


def test_others_go_by_their_texts() -> None:
    """A change makes another piece of them."""
    assert around("size = 1").startswith("=")
    assert around("LIMIT = 8").startswith("Model.=")
    other = SOURCE.replace("if size", "if not size")
    assert pieces(other).find(around("if size")) is None
    assert pieces(other).find("Model.forward") is not None


BELOW = """\
if a:
    b = 1
    def run(x):
        return x
elif c:
    class Model:
        def run(self): ...
else:
    d = 2
"""


def test_definitions_below_a_condition_are_pieces() -> None:
    """So is what stands around them: each is another one only when it changes itself."""

    def told(text: str) -> dict[str, str]:
        known, found = pieces(text), {}
        for marker in ("if a", "b = 1", "run(x)", "elif c", "class", "run(self)", "else", "d = 2"):
            piece = known.around(text.index(marker))
            found[marker] = f"{piece.name} {piece.text}"
        return found

    before = told(BELOW)
    assert len({*before.values()}) == len(before)
    assert [before[one].partition(" ")[0] for one in ("run(x)", "class", "run(self)")] == ["run", "Model", "Model.run"]
    edited = BELOW.replace("return x", "return x + 1")
    assert [one for one, told in told(edited).items() if told != before[one]] == ["run(x)"]
    assert pieces(edited).heads == pieces(BELOW).heads
    assert pieces(BELOW.replace("b = 1", "b = 2")).heads != pieces(BELOW).heads


LINES = """\
@wrap
def run(
    x,
):
    y = x
    print(y)
    y = x
    return y
"""


def test_a_line_of_a_function_goes_by_its_text() -> None:
    """It is the same one wherever it stands; of several that are the same each has its number."""

    def lines(text: str) -> dict[str, str]:
        known = pieces(text)
        places = {one: text.index(one) for one in ("@wrap", "run(", "x,", "y = x", "print(y)", "return y")}
        found = {}
        for marker, at in (places | {"again": text.rindex("y = x")}).items():
            near = known.near(at)
            found[marker] = near.line
            assert (near.piece.name, known.start_of("run", near.line)) == ("run", near.start)
            assert not near.line or text[near.start : at] == "    "
        return found

    before = lines(LINES)
    assert [one for one, name in before.items() if not name] == ["@wrap", "run(", "x,"]
    assert len({*before.values()}) == 5
    assert lines(LINES.replace("    print", "    z = 1\n\n    # a word\n    print")) == before
    assert lines(LINES.replace("    print", "    y = x\n    print"))["again"] != before["again"]
    assert pieces(LINES).start_of("run", "none") is None
    assert pieces(LINES).start_of("none") is None


def test_what_is_in_no_piece_is_there_while_the_content_is_the_same() -> None:
    """Between two statements. The end of one belongs to it."""
    known = pieces(SOURCE)
    between = SOURCE.index("\n\nsize")
    assert known.around(between).name.startswith("=")
    assert known.around(between + 1).name == "@abc"
    assert known.around(between + 1).start == 0
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
