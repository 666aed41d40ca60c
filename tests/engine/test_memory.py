"""A run over unchanged files is remembered, and nothing else is."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from aoti_lint.files.cache import content_hash
from tests.cli.conftest import Result
from tests.cli.scripts import CPU_CALL, CUDA_PACKAGE, DEPRECATED, IRRELEVANT

Lint = Callable[..., Result]
PROJECTS = Path(__file__).parent.parent / "projects"
UNFAKED = """\
import torch


@torch.library.custom_op("shop::rank", mutates_args=())
def rank(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.ops.shop.rank(x)


torch.export.export(Net(), (torch.randn(2, 3),))
"""
BARE = ["", "# edited", "# Here the batch may vary, and the export with it.", "    # torch", "        # old", "# x = 1"]


@pytest.fixture
def pair(project: Path) -> Path:
    (project / "export.py").write_text(CUDA_PACKAGE, encoding="utf-8")
    (project / "serve.py").write_text(CPU_CALL, encoding="utf-8")
    return project


def test_the_second_run_is_remembered_in_every_format(pair: Path, lint: Lint, analysed: list[str]) -> None:
    first = lint("serve.py")
    assert lint("serve.py") == first
    assert lint("serve.py", "--output-format", "concise").code == first.code == 1
    assert len(analysed) == 1


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("serve.py", CPU_CALL + "pass\n"),
        ("export.py", CUDA_PACKAGE.replace("cuda", "cpu")),
        ("more.py", DEPRECATED.replace("_export", "_inductor")),
        ("torch.py", "shadow = 1\n"),
        ("pyproject.toml", '[project]\ndependencies = ["torch==2.12.*"]\n'),
        ("aoti-lint.toml", 'ignore = ["AOTI3"]\n'),
    ],
)
def test_whatever_a_run_depends_on_makes_it_run_again(
    pair: Path, lint: Lint, analysed: list[str], path: str, text: str
) -> None:
    lint("serve.py")
    (pair / path).write_text(text, encoding="utf-8")
    lint("serve.py")
    assert len(analysed) == 2


def test_where_only_comments_came_the_places_are_those_of_now(pair: Path, lint: Lint, analysed: list[str]) -> None:
    lint("serve.py")
    (pair / "serve.py").write_text(f"# Serves.\n\n{CPU_CALL}\n# The end.\n", encoding="utf-8")
    (pair / "export.py").write_text(f"# Exports on a machine with a GPU\n{CUDA_PACKAGE}", encoding="utf-8")
    found = lint("serve.py", "--output-format", "json")
    assert len(analysed) == 1
    assert found == lint("serve.py", "--output-format", "json", "--no-cache")
    assert len(analysed) == 2
    assert lint("serve.py", "--output-format", "json") == found
    assert len(analysed) == 2


@pytest.mark.parametrize(("row", "runs"), [(3, 1), (5, 2), (6, 2), (10, 1)])
def test_what_would_be_written_beside_a_comment_is_found_anew(
    project: Path, lint: Lint, analysed: list[str], row: int, runs: int
) -> None:
    (project / "script.py").write_text(UNFAKED, encoding="utf-8")
    (found,) = json.loads(lint("script.py", "--output-format", "json").out)["diagnostics"]
    assert [edit["location"]["row"] for edit in found["fix"]["edits"]] == [6]
    lines = UNFAKED.splitlines(keepends=True)
    lines.insert(row, "# a comment\n")
    (project / "script.py").write_text("".join(lines), encoding="utf-8")
    again = lint("script.py", "--output-format", "json")
    assert len(analysed) == runs
    assert again == lint("script.py", "--output-format", "json", "--no-cache")


BUILDER = """\
import tempfile
import torch

program = torch.export.export(torch.nn.ReLU(), (torch.randn(2, 3),))
with tempfile.TemporaryDirectory() as folder:
    path = torch._inductor.aoti_compile_and_package(program, package_path=f"{folder}/net.pt2")
"""


def test_what_an_import_removed_is_known_where_it_is_not_run_again(
    project: Path, lint: Lint, analysed: list[str]
) -> None:
    (project / "builder.py").write_text(BUILDER, encoding="utf-8")
    main = "import torch\nfrom builder import path\nrun = torch._inductor.aoti_load_package(path)\n"
    for text in (main, f"{main}run(torch.randn(2, 3))\n"):
        (project / "main.py").write_text(text, encoding="utf-8")
        found = lint("main.py", "--output-format", "json")
        assert "removed when this ends" in found.out
        assert found == lint("main.py", "--output-format", "json", "--no-cache")
    (project / "builder.py").write_text(f"# aoti-lint: none\n{BUILDER}", encoding="utf-8")
    found = lint("main.py", "--output-format", "json")
    assert found == lint("main.py", "--output-format", "json", "--no-cache")
    assert len(analysed) == 6


@pytest.mark.parametrize("seed", range(6))
def test_any_layout_gives_what_a_run_without_memory_gives(
    tmp_path: Path, lint: Lint, analysed: list[str], monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    pick, again = random.Random(seed), 0
    for number, source in enumerate(pick.sample(sorted((PROJECTS / "single").glob("*.py")), 4)):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        lines = source.read_text(encoding="utf-8").split("\n")
        for _ in range(3):
            (folder / source.name).write_text("\n".join(lines), encoding="utf-8")
            analysed.clear()
            found = lint(".", "--output-format", "json", "--pedantic")
            again += not analysed
            assert found == lint(".", "--output-format", "json", "--pedantic", "--no-cache")
            at = pick.randrange(len(lines))
            if lines[at].strip() and not lines[at].lstrip().startswith("#"):
                lines.insert(at, pick.choice(BARE))
            else:
                del lines[at]
    assert again >= 3


def test_a_changed_import_is_noticed(project: Path, lint: Lint, analysed: list[str]) -> None:
    (project / "settings.py").write_text("DEVICE = 'cuda'\n", encoding="utf-8")
    script = CUDA_PACKAGE.replace("import torch\n", "import torch\nfrom settings import DEVICE\n")
    (project / "script.py").write_text(script.replace('"cuda"', "DEVICE"), encoding="utf-8")
    lint("script.py")
    lint("script.py")
    assert len(analysed) == 1
    (project / "settings.py").write_text("DEVICE = 'cpu'\n", encoding="utf-8")
    lint("script.py")
    assert len(analysed) == 2


def test_a_file_that_was_asked_for_is_noticed_when_it_comes_and_goes(project: Path, lint: Lint) -> None:
    export = "import torch\nprogram = torch.export.export(torch.nn.ReLU(), (torch.randn(2),))\n"
    (project / "export.py").write_text(f"{export}torch.export.save(program, 'ranker_v2.pt2')\n", encoding="utf-8")
    (project / "serve.py").write_text("import torch\ntorch.export.load('ranker-v2.pt2')\n", encoding="utf-8")
    file, codes = project / "ranker-v2.pt2", []
    for there in (False, True, False):
        file.write_text("", encoding="utf-8") if there else file.unlink(missing_ok=True)
        codes.append("AOTI221" in lint(".").out)
    assert codes == [True, False, True]


def test_data_files_and_irrelevant_text_change_nothing(pair: Path, lint: Lint, analysed: list[str]) -> None:
    lint("serve.py")
    (pair / "relu.pt2").write_bytes(b"PK")
    (pair / "notes.txt").write_text("x", encoding="utf-8")
    lint("serve.py")
    assert len(analysed) == 1


@pytest.mark.parametrize(
    "options",
    [("--select", "AOTI1"), ("--ignore", "AOTI1"), ("--pedantic",), ("--no-ignores",), ("--torch-version", "2.12")],
)
def test_another_question_is_another_run(pair: Path, lint: Lint, analysed: list[str], options: tuple[str, ...]) -> None:
    lint("serve.py")
    lint("serve.py", *options)
    assert len(analysed) == 2


def test_file_names_are_those_of_the_present_folder(
    pair: Path, lint: Lint, analysed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lint("serve.py")
    (pair / "inner").mkdir()
    monkeypatch.chdir(pair / "inner")
    assert " --> ../serve.py:" in lint("../serve.py").out


def test_without_a_cache_nothing_is_kept(pair: Path, lint: Lint, analysed: list[str]) -> None:
    before = set(os.listdir(pair))
    lint("serve.py", "--no-cache")
    lint("serve.py", "--no-cache")
    assert len(analysed) == 2
    assert set(os.listdir(pair)) == before


def test_the_cache_may_stand_elsewhere_and_may_be_broken(pair: Path, lint: Lint, analysed: list[str]) -> None:
    first = lint("serve.py", "--cache-dir", "elsewhere")
    for file in (pair / "elsewhere/run").iterdir():
        file.write_text('{"contents": 1', encoding="utf-8")
    assert lint("serve.py", "--cache-dir", "elsewhere") == first
    assert len(analysed) == 2


@pytest.mark.parametrize("home", ["none", "a file"])
def test_without_a_home_nothing_is_kept_and_nothing_said(
    pair: Path, lint: Lint, analysed: list[str], monkeypatch: pytest.MonkeyPatch, home: str
) -> None:
    first = lint("serve.py")
    monkeypatch.delenv("XDG_CACHE_HOME")
    (pair / "a file").touch()
    monkeypatch.setenv("HOME", str(pair / home))
    monkeypatch.setenv("LOCALAPPDATA", str(pair / "a file"))
    assert lint("serve.py") == lint("serve.py") == first
    assert len(analysed) == 3


def test_no_run_leaves_a_trace_in_the_project(pair: Path, lint: Lint) -> None:
    before = set(os.listdir(pair))
    lint("serve.py")
    assert set(os.listdir(pair)) == before


def test_runs_with_nothing_to_do_leave_no_trace(
    project: Path, lint: Lint, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path_factory.mktemp("home") / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    (project / "script.py").write_text(IRRELEVANT, encoding="utf-8")
    lint("script.py")
    assert not cache.exists()
    (project / "script.py").write_text(DEPRECATED, encoding="utf-8")
    lint("script.py")
    assert cache.exists()


@pytest.fixture
def poisoned(pair: Path, lint: Lint, analysed: list[str]) -> Path:
    """A folder of a cache that says of the present files that nothing is wrong with them."""
    lint("serve.py", "--cache-dir", ".poison")
    (kept,) = (pair / ".poison/run").iterdir()
    value = json.loads(kept.read_bytes().partition(b"\n")[2])
    value["document"]["diagnostics"].clear()
    text = json.dumps(value).encode()
    kept.write_bytes(content_hash(text).encode() + b"\n" + text)
    assert lint("serve.py", "--cache-dir", ".poison").code == 0
    analysed.clear()
    return pair / ".poison"


def test_a_repository_does_not_bring_its_verdict_along(
    pair: Path, lint: Lint, analysed: list[str], poisoned: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # In a folder of the tree, such as the one where the cache once stood.
    shutil.copytree(poisoned, pair / ".aoti_lint_cache")
    assert lint("serve.py").code == 1
    # Where the home of the user lies in the tree, as a CI may have it.
    monkeypatch.setenv("XDG_CACHE_HOME", str(pair))
    shutil.copytree(poisoned, pair / "aoti-lint")
    (pair / "aoti-lint/made-here").touch()
    assert lint("serve.py").code == 1
    assert len(analysed) == 2


@pytest.mark.skipif(os.name != "posix", reason="links, owners and modes")
def test_a_cache_dir_that_is_not_the_users_own_is_told_and_not_used(
    pair: Path, lint: Lint, analysed: list[str], poisoned: Path
) -> None:
    (pair / ".link").symlink_to(poisoned)
    found = lint("serve.py", "--cache-dir", ".link")
    assert (found.code, found.err) == (1, "")
    assert "Note: --cache-dir .link is not used: it is a link" in found.out
    poisoned.chmod(0o777)
    found = lint("serve.py", "--cache-dir", ".poison")
    assert found.code == 1
    assert "not used: other users can write to it; chmod go-w takes that from them" in found.out
    if os.geteuid() == 0:
        poisoned.chmod(0o700)
        os.chown(poisoned, 12345, 12345)
        found = lint("serve.py", "--cache-dir", ".poison")
        assert found.code == 1
        assert "not used: it belongs to another user" in found.out
    assert len(analysed) == (3 if os.geteuid() == 0 else 2)


def test_a_changed_tool_forgets(pair: Path, lint: Lint, analysed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    lint("serve.py")
    monkeypatch.setattr("aoti_lint.files.cache.tool_stamp", lambda carried: "another")
    lint("serve.py")
    assert len(analysed) == 2


def test_a_file_saved_during_the_run_is_judged_again(
    pair: Path, lint: Lint, analysed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from aoti_lint.engine.run import Run

    document = Run.document

    def saving(self: Run) -> dict[str, object]:
        made = document(self)
        (pair / "serve.py").write_text(CPU_CALL + "\n", encoding="utf-8")
        return made

    with monkeypatch.context() as during:
        during.setattr(Run, "document", saving)
        lint("serve.py")
    (pair / "serve.py").write_text(CPU_CALL, encoding="utf-8")
    lint("serve.py")
    assert len(analysed) == 2


def test_another_libcst_forgets(
    pair: Path,
    lint: Lint,
    analysed: list[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    lint("serve.py")
    packages = tmp_path_factory.mktemp("packages")
    (packages / "libcst").mkdir()
    (packages / "libcst/__init__.py").touch()
    monkeypatch.syspath_prepend(packages)
    lint("serve.py")
    assert len(analysed) == 2
