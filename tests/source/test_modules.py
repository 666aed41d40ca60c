from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.source.modules import ModuleIndex

TREE = [
    "main.py", "utils.py", "setup.py",
    "src/pkg/__init__.py", "src/pkg/a.py", "src/pkg/sub/__init__.py", "src/pkg/sub/b.py", "src/pkg/stub.pyi",
    "examples/run.py", "examples/helper.py", "examples/utils.py", "examples/deep/er.py",
    "tests/__init__.py", "tests/test_a.py", "tests/data/gen.py",
    "ns/one/x.py", "ns/two.py",
    "python/other/__init__.py", "python/other/c.py", "python/loose.py",
    "packages/thing/src/thing/__init__.py", "packages/thing/src/thing/core.py",
    "both/__init__.py", "both.py", "odd.folder/z.py",
]  # fmt: skip


@pytest.fixture
def index(tmp_path: Path) -> ModuleIndex:
    for name in TREE:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return ModuleIndex(str(tmp_path), TREE)


@pytest.mark.parametrize(
    ("dotted", "importer", "path"),
    [
        ("utils", "main.py", "utils.py"),
        ("utils", "examples/run.py", "examples/utils.py"),
        ("utils", "examples/deep/er.py", "utils.py"),
        ("helper", "examples/run.py", "examples/helper.py"),
        ("helper", "examples/deep/er.py", "examples/helper.py"),
        ("helper", "main.py", None),
        ("examples.helper", "main.py", "examples/helper.py"),
        ("pkg", "main.py", "src/pkg/__init__.py"),
        ("pkg.a", "tests/test_a.py", "src/pkg/a.py"),
        ("pkg.sub.b", "src/pkg/sub/b.py", "src/pkg/sub/b.py"),
        ("pkg.stub", "main.py", "src/pkg/stub.pyi"),
        ("pkg.gone", "main.py", None),
        ("src.pkg.a", "main.py", "src/pkg/a.py"),
        ("tests.test_a", "tests/test_a.py", "tests/test_a.py"),
        ("ns.one.x", "main.py", "ns/one/x.py"),
        ("ns.two", "tests/test_a.py", "ns/two.py"),
        ("ns", "main.py", None),
        ("other.c", "tests/test_a.py", "python/other/c.py"),
        ("loose", "tests/test_a.py", None),
        ("thing.core", "tests/test_a.py", "packages/thing/src/thing/core.py"),
        ("both", "main.py", "both/__init__.py"),
        ("torch", "main.py", None),
        ("os.path", "main.py", None),
        ("", "main.py", None),
        ("../utils", "examples/run.py", None),
    ],
)
def test_absolute(index: ModuleIndex, dotted: str, importer: str, path: str | None) -> None:
    assert index.resolve(dotted, 0, importer) == path


@pytest.mark.parametrize(
    ("level", "dotted", "importer", "path"),
    [
        (1, "a", "src/pkg/__init__.py", "src/pkg/a.py"),
        (1, "", "src/pkg/a.py", "src/pkg/__init__.py"),
        (1, "sub", "src/pkg/a.py", "src/pkg/sub/__init__.py"),
        (1, "sub.b", "src/pkg/a.py", "src/pkg/sub/b.py"),
        (2, "a", "src/pkg/sub/b.py", "src/pkg/a.py"),
        (2, "", "src/pkg/sub/__init__.py", "src/pkg/__init__.py"),
        (1, "utils", "main.py", "utils.py"),
        (1, "helper", "examples/run.py", "examples/helper.py"),
        (2, "utils", "main.py", None),
        (9, "a", "src/pkg/sub/b.py", None),
        (1, "os", "src/pkg/a.py", None),
    ],
)
def test_relative(index: ModuleIndex, level: int, dotted: str, importer: str, path: str | None) -> None:
    assert index.resolve(dotted, level, importer) == path


def test_packages(index: ModuleIndex) -> None:
    assert index.is_package("pkg", 0, "main.py")
    assert index.is_package("ns.one", 0, "main.py")
    assert index.is_package("sub", 1, "src/pkg/a.py")
    assert not index.is_package("utils", 0, "main.py")
    assert not index.is_package("gone", 0, "main.py")


NAMES = {
    "main.py": "main",
    "src/pkg/__init__.py": "pkg",
    "src/pkg/sub/b.py": "pkg.sub.b",
    "src/pkg/stub.pyi": "pkg.stub",
    "examples/run.py": "examples.run",
    "tests/test_a.py": "tests.test_a",
    "tests/data/gen.py": "tests.data.gen",
    "ns/one/x.py": "ns.one.x",
    "python/other/c.py": "other.c",
    "packages/thing/src/thing/core.py": "thing.core",
}


@pytest.mark.parametrize(("path", "name"), NAMES.items())
def test_names(index: ModuleIndex, path: str, name: str) -> None:
    assert index.name(path) == name
    assert index.resolve(name, 0, path) == path


def test_the_root_is_a_package(tmp_path: Path) -> None:
    root = tmp_path / "whole"
    for name in ("__init__.py", "a.py", "sub/__init__.py", "sub/b.py"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    index = ModuleIndex(str(root))
    for path, name in (("__init__.py", "whole"), ("a.py", "whole.a"), ("sub/__init__.py", "whole.sub"),
                       ("sub/b.py", "whole.sub.b")):  # fmt: skip
        assert index.name(path) == name
        assert index.resolve(name, 0, "sub/b.py") == path
    assert index.resolve("a", 2, "sub/b.py") == "a.py"
    assert index.resolve("", 2, "sub/b.py") == "__init__.py"


def test_files_in_memory(tmp_path: Path) -> None:
    index = ModuleIndex(str(tmp_path), virtual=["new/pkg/__init__.py", "new/pkg/a.py", "main.py"])
    assert index.resolve("new.pkg.a", 0, "main.py") == "new/pkg/a.py"
    assert index.name("new/pkg/a.py") == "pkg.a"


def test_folders_that_were_seen(index: ModuleIndex) -> None:
    assert index.seen() == {}
    index.resolve("pkg.a", 0, "main.py")
    assert "a.py" in index.seen()["src/pkg"]
