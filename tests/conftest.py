"""What holds for every test."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from tests import changed, compiler


def pytest_addoption(parser: pytest.Parser) -> None:
    words = "only the tests of what was changed since REV, by default since the branch left main"
    parser.addoption("--changed", nargs="?", const="", metavar="REV", help=words)


def pytest_configure(config: pytest.Config) -> None:
    # Processes that tests start have it too, and so have those that pytest-xdist starts.
    os.environ.update(compiler.environment(os.environ))
    # What the developer's own runs remember is theirs.
    cache = os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp(prefix="aoti-lint-tests-")
    config.add_cleanup(lambda: shutil.rmtree(cache, ignore_errors=True))
    if not hasattr(config, "workerinput"):
        objects = os.environ[compiler.OBJECTS] = tempfile.mkdtemp(prefix="aoti-lint-tests-")
        config.add_cleanup(lambda: shutil.rmtree(objects, ignore_errors=True))
    if config.getoption("dist", "no") in ("load", "loadfile"):
        # The tests of a file share what they make. Which file is next, `pytest_collection_modifyitems` says.
        config.option.dist, config.option.loadscopereorder = "loadfile", False
    revision = config.getoption("changed")
    if revision is not None:
        config.args = _chosen(config, revision)


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """What a test passed over is not said by a check of another one in this process."""
    yield
    opener: Any = sys.modules.get("aoti_lint.files.opener")
    if opener is not None:
        opener.forget()


def _chosen(config: pytest.Config, revision: str) -> list[str]:
    if hasattr(config, "workerinput"):
        chosen: list[str] = config.workerinput["chosen"]
        return chosen
    if config.args_source is pytest.Config.ArgsSource.ARGS:
        raise pytest.UsageError("--changed chooses the tests: name none beside it")
    try:
        chosen = changed.Selection().of_all(changed.files(revision))
        print(f"{len(chosen)} files and folders of tests: {', '.join(chosen)}", file=sys.stderr)
        return chosen
    except ValueError as error:
        raise pytest.UsageError(f"--changed: {error}") from None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where several processes share the tests, files that run real torch come first, then those with many tests.

    What takes minutes must not be what one process still does when the others have nothing left.
    """
    if hasattr(config, "workerinput"):
        files = Counter(item.path for item in items)
        torch = {item.path for item in items if item.get_closest_marker("proof")}
        items.sort(key=lambda item: (item.path not in torch, -files[item.path], item.path))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """What this process has chosen, those of pytest-xdist need not look for again."""
    node.workerinput["chosen"] = node.config.args


@pytest.fixture(autouse=True)
def _no_environment_speaks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The versions to judge for come from the test, not from the environment it happens to run in."""
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def _nothing_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", tempfile.mkdtemp(dir=os.environ["XDG_CACHE_HOME"]))
