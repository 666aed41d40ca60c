"""Which folders a run may have made: by the keys of paths, as scripts leave them."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.linking.analysis import analyse
from aoti_lint.source.project import Project
from aoti_lint.torch_api.versions import VersionSet
from aoti_lint.values.events.event import Order, Turn
from aoti_lint.values.folders import ANY, Folders, Key

OUT: Key = ("out", "a")


@pytest.mark.parametrize(
    ("made", "there"),
    [
        (ANY, True),
        (("out", "a"), True),
        (("out", "a", "b"), True),
        (("out",), False),
        (("out", "<u1>"), True),
        (("<u1>", "b"), True),
        (("outer", "a"), False),
        (("/", "work", "out", "a"), True),
        (("/", "work"), False),
        (("<project root>", "out", "a"), True),
        (("<project root>", "b"), False),
        (("<home>", "out", "a"), False),
        (("<tempdir#7>", "out", "a"), False),
    ],
)
def test_what_a_path_covers(made: Key, there: bool) -> None:
    assert Folders({"root": {made: Order(Turn(1), 0)}}).may_be(OUT, "root", Order(Turn(1), 0)) is there


def test_order_and_roots() -> None:
    """What comes later in the same run does not help; another script's folder does, where it is written out."""
    folders = Folders({"one": {OUT: Order(Turn(1), 5), ANY: Order(Turn(1), 8)}})
    assert not folders.may_be(OUT, "one", Order(Turn(1), 4))
    assert folders.may_be(OUT, "one", Order(Turn(1), 5))
    assert folders.may_be(OUT, "two", Order(Turn(0), 0))
    assert not folders.may_be(("in",), "two", Order(Turn(0), 0))


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("import os\nos.makedirs('out/a')", ("out", "a")),
        ("from pathlib import Path\n(Path('out') / 'a').mkdir()", ("out", "a")),
        ("open('out/a/b.txt', 'w')", ("out", "a")),
        ("import os\nos.chdir('x')", ANY),
        ("import subprocess\nsubprocess.run(['make'])", ANY),
        ("import other\nother.work()", ANY),
        ("import other\nx = other.work('out/a')", ("out", "a")),
    ],
)
def test_what_a_script_tells(text: str, key: Key, tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(f"import torch.export\n{text}\n")
    facts = analyse(Project(tmp_path, ["script.py"]), VersionSet(["2.13"]))
    assert key in facts.folders.made["script.py"]
