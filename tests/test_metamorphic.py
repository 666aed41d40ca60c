"""Ten rewrites that keep the meaning of a script must not change what the linter says of it."""

from __future__ import annotations

import ast
import functools
import json
import platform
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from tests.judging import lint_files
from tests.metamorphic.prove import PLAIN, digest
from tests.metamorphic.rewrites import REWRITES

HERE = Path(__file__).parent
TEXTS = {path.name: path.read_text(encoding="utf-8") for path in sorted((HERE / "truth" / "scripts").glob("*.py"))}
PROVED: dict[str, Any] = json.loads((HERE / "metamorphic" / "proved.json").read_text(encoding="utf-8"))

Verdict: TypeAlias = "set[tuple[str, str]]"


@functools.cache
def rewritten(name: str, script: str) -> dict[str, str] | None:
    return REWRITES[name](TEXTS[script])


GAVE_UP: Verdict = {("gave up", "")}


def judge(folder: Path, files: dict[str, str]) -> Verdict:
    """The codes and how sure the linter is of each."""
    try:
        return {(item.code, item.confidence) for item in lint_files(folder, files)}
    except AssertionError:
        return GAVE_UP


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    folder = tmp_path_factory.mktemp("originals")
    return {name: judge(folder / name, {"script.py": text}) for name, text in TEXTS.items()}


@pytest.mark.parametrize("name", REWRITES)
def test_same_verdict(
    name: str, originals: dict[str, Verdict], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The rewritten scripts get the codes, with the confidence, that the scripts got as they were."""
    changed, count = [], 0
    for script in TEXTS:
        files = rewritten(name, script)
        if files is None:
            continue
        count += 1
        verdict = judge(tmp_path / script, files)
        if verdict != originals[script] or verdict == GAVE_UP:
            changed.append(f"{script}: {sorted(originals[script])} became {sorted(verdict)}")
    found = sum(bool(verdict) for verdict in originals.values())
    with capsys.disabled():
        unfit = len(TEXTS) - count
        print(f"\n{name}: {count} scripts rewritten, {unfit} unfit, {len(changed)} judged otherwise", end=" ")
    assert found, "the linter finds nothing in the scripts as they are"
    assert not changed, "\n".join(changed)


@pytest.mark.parametrize("name", REWRITES)
def test_rewrite_changes_and_parses(name: str) -> None:
    """A rewrite gives Python, changes what it says it changes, and applies to many of the scripts."""
    count = 0
    for script, text in TEXTS.items():
        files = rewritten(name, script)
        if files is not None:
            count += 1
            for file, new in files.items():
                compile(new, file, "exec")
            assert ast.dump(ast.parse(files["script.py"])) != ast.dump(ast.parse(text))
    assert count >= 60


@pytest.mark.parametrize("name", REWRITES)
def test_rewrite_is_proved(name: str) -> None:
    """Real runs show that the rewrite keeps the meaning, and they were runs of what it makes today."""
    runs = [item for item in PROVED["runs"] if item["rewrite"] == name]
    assert len(runs) >= PLAIN
    for item in runs:
        assert item["same"], f"{item['script']} ended otherwise: {item['last']}"
        # `ast.unparse` writes some things another way in other versions of Python
        if platform.python_version_tuple()[:2] == tuple(PROVED["python"].split(".")[:2]):
            files = rewritten(name, item["script"])
            assert files is not None
            assert digest(files) == item["sha"], f"{item['script']} is rewritten otherwise now; run prove again"
