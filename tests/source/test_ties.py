"""What the text of a file ties it to."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.source.project import Project
from aoti_lint.source.ties.naming import named_in
from aoti_lint.source.ties.ties import Ties


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('save("out/net.pt2")', ["file net.pt2"]),
        ('save(f"out/{kind}/net_{device}.pt2")', ["file net_*.pt2"]),
        ('save("net_%s.pt2" % device)', ["file net_*.pt2"]),
        ('save(f"{names[0]}.pt2")', ["file *.pt2"]),
        ('save(name + ".pt2")', ["file *.pt2"]),
        ('open(name + ".txt")', []),
        ("torch.ops.mine.add(x)", ["operators mine"]),
        ('custom_op("mine::add")', ["operators mine"]),
        ("TORCH_LIBRARY_IMPL(mine, CPU, m) {}", ["operators mine"]),
        ("torch.ops.aten.add(x, y)", []),
        ("a.pt2b", []),
    ],
)
def test_names_that_others_may_share(text: str, words: list[str]) -> None:
    assert named_in(text.encode(), python=True)["words"] == words


def test_files_that_are_named(tmp_path: Path) -> None:
    files = {
        "main.py": "import lib.a\nfrom lib import b as c\ngo('tools/go.py', 'set.yaml', 'python -m lib.d')\n",
        "lib/__init__.py": "",
        "lib/a.py": "from . import b\n",
        "lib/b.py": "",
        "lib/d.py": "",
        "tools/go.py": "",
        "set.yaml": "file: net.pt2\n",
        "lib/test_a.py": "",
        "conftest.py": "",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    python = [path for path in files if path.endswith(".py")]
    ties = Ties(Project(tmp_path, python), python)
    used = {path: set(ties.files(path)) for path in python}
    assert used["main.py"] == {"lib/__init__.py", "lib/a.py", "lib/b.py", "lib/d.py", "tools/go.py"}
    assert used["lib/a.py"] == {"lib/__init__.py", "lib/b.py"}
    assert used["lib/test_a.py"] == {"conftest.py"}
    assert ties.words("main.py") == ["file net.pt2"]
    assert sorted(ties.settings) == ["set.yaml"]
