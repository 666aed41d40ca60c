"""README.md and the pages of docs/: their examples, outputs, command lines, settings and names are what it does."""

from __future__ import annotations

import importlib
import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from aoti_lint.catalogue.registry import load
from aoti_lint.cli.check.arguments import parser
from aoti_lint.cli.completion import parsers
from aoti_lint.cli.main import main
from aoti_lint.config import load as load_config
from aoti_lint.torch_api.versions import MINORS, VersionSet

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
MADE = "<!-- Made by "
"""Pages that a script writes begin so; other tests hold them against what they are made from."""
PAGES = {
    path.relative_to(ROOT).as_posix(): text
    for path in [README, ROOT / "SECURITY.md", *sorted((ROOT / "docs").glob("*.md"))]
    if not (text := path.read_text(encoding="utf-8")).startswith(MADE)
}
TEXT = "\n".join(PAGES.values())
CI = ROOT / ".ci" / "run"
HOOKS = ROOT / ".pre-commit-hooks.yaml"
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PINNED = "torch==2.13.0"
RUFF = shutil.which("ruff")
BASH = shutil.which("bash")


class Block(NamedTuple):
    """A fenced block: its language, the file or thing it is, and its text."""

    language: str
    name: str
    text: str


def blocks(text: str) -> list[Block]:
    return [Block(*match.groups(default="")) for match in BLOCK.finditer(text)]


def sections(*texts: str) -> dict[str, list[Block]]:
    """The blocks under each heading, in all texts together."""
    found: dict[str, list[Block]] = {}
    for text in texts:
        heading, start = "", 0
        prose = BLOCK.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
        for match in [*re.finditer(r"^#{1,3} (.+)$", prose, re.MULTILINE), None]:
            found.setdefault(heading, []).extend(blocks(text[start : match.start() if match else None]))
            if match:
                heading, start = match[1], match.end()
    return found


def named(name: str) -> str:
    """The text of the only block with that name."""
    (block,) = [block for block in blocks(TEXT) if block.name == name]
    return block.text


SECTIONS = sections(*PAGES.values())
HOLES = {"FORMAT": "json", "K/N": "1/3", "$CI_NODE_INDEX/$CI_NODE_TOTAL": "1/3"}
"""What a reader puts something in the place of, where not everything is taken."""
HOLE = re.compile("|".join(map(re.escape, HOLES)))
FIRST = "What a report looks like"
PARSERS = parsers()
EXAMPLES = [heading for heading, found in SECTIONS.items() if any(block.language == "console" for block in found)]
Lint = Callable[..., tuple[int, str]]


@pytest.fixture
def lint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Lint:
    """Run `aoti-lint` with some arguments in an empty folder that pins torch as the README says."""
    assert f"`{PINNED}`" in PAGES["README.md"]
    (tmp_path / "requirements.txt").write_text(PINNED + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")

    def run(*words: str) -> tuple[int, str]:
        code = main(words)
        out, err = capsys.readouterr()
        assert err == ""
        return code, out

    return run


def write_scripts(heading: str) -> None:
    for block in SECTIONS[heading]:
        if block.language == "python" or (block.language == "sh" and block.name):
            Path(block.name).write_text(block.text, encoding="utf-8")


def test_every_family_has_an_example() -> None:
    assert EXAMPLES == [
        FIRST, "Inspect", "The input contract", "Shapes", "Names that come and go", "Calls, variables and settings",
        "Custom operators", "Suppression", "Why it is silent", "How much was known", "What breaks when",
    ]  # fmt: skip


@pytest.mark.parametrize("heading", EXAMPLES)
def test_an_example_gives_what_is_shown(heading: str, lint: Lint) -> None:
    write_scripts(heading)
    (shown,) = [block.text for block in SECTIONS[heading] if block.language == "console"]
    command, _, output = shown.partition("\n")
    assert command.startswith("$ aoti-lint ")
    words = shlex.split(command)[2:]
    if any(word.startswith("tests/") for word in words):
        os.chdir(ROOT)
    code, out = lint(*words)
    assert out == output
    assert code == ("AOTI" in output or "Breaks callers" in output)


def test_the_finding_shown_as_json_is_that_of_the_first_example(lint: Lint) -> None:
    write_scripts(FIRST)
    code, out = lint("serve.py", "--output-format", "json")
    assert code == 1
    (finding,) = json.loads(out)["diagnostics"]
    assert finding == json.loads(named("finding"))
    assert f"`{json.loads(out)['format']}`" in TEXT


def test_the_triage_shown_is_what_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, log, (_, _, shown) = SECTIONS["The cause of a log"]
    (tmp_path / log.name).write_text(log.text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    command, _, output = shown.partition("\n")
    assert main(shlex.split(command.removeprefix("$ aoti-lint "))) == 0
    assert capsys.readouterr().out == output


def test_the_problem_matcher_shown_is_the_one_that_comes_along_and_matches(lint: Lint) -> None:
    (task,) = json.loads(named("tasks.json"))["tasks"]
    along = ROOT / "aoti_lint" / "report" / "vscode-problem-matcher.json"
    assert [task["problemMatcher"]] == json.loads(along.read_text(encoding="utf-8"))["problemMatcher"]
    write_scripts(FIRST)
    _, out = lint(*shlex.split(task["command"])[1:])
    (pattern,) = task["problemMatcher"]["pattern"]
    match = re.fullmatch(pattern["regexp"], out.rstrip("\n"))
    assert match
    assert [match[pattern[part]] for part in ("file", "line", "column", "severity", "code")] == [
        "serve.py", "4", "11", "error", "AOTI102",
    ]  # fmt: skip


def test_the_configuration_shown_is_read_and_is_complete(tmp_path: Path, lint: Lint) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text(named("pyproject.toml"), encoding="utf-8")
    config = load_config(str(path))
    assert all(getattr(config, slot) for slot in config.__slots__)
    assert all(value not in (None, [], {}) for value in (*config.target.state(), *config.package.state()))
    write_scripts("Names that come and go")
    code, out = lint(".", "--output-format", "concise")
    assert code == 1
    assert re.findall(r"AOTI\d+", out) == ["AOTI202", "AOTI202"]


@pytest.mark.skipif(RUFF is None, reason="ruff is not installed")
def test_ruff_takes_the_suppressions_shown_with_the_setting_shown(tmp_path: Path, lint: Lint) -> None:
    write_scripts("Suppression")
    (setting,) = [block.text for block in SECTIONS["Suppression"] if block.language == "toml"]
    command = [str(RUFF), "check", "--no-cache", "--select", "RUF100,RUF102", "--output-format", "concise", "."]

    def complaints() -> list[str]:
        out = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True).stdout
        return re.findall(r"^move\.py:(\d+):.* RUF102 ", out, re.MULTILINE)

    assert complaints() == ["7"]
    (tmp_path / "pyproject.toml").write_text(setting, encoding="utf-8")
    assert complaints() == []


def command_lines() -> list[str]:
    """Every `aoti-lint …` in the pages, in their blocks, and in the editor's task."""
    prose = BLOCK.sub("", TEXT)
    found = [code for code in re.findall(r"`([^`]+)`", prose) if code.startswith("aoti-lint ")]
    # Options shown alone.
    found += [f"aoti-lint x.py {code}" for code in re.findall(r"`([^`]+)`", prose) if code.startswith("--")]
    for block in blocks(TEXT):
        if block.language in ("sh", "console"):
            found += re.findall(r"(?:^|\$ |&& )(aoti-lint .*?)(?: \| .*)?$", block.text, re.MULTILINE)
    found.append(json.loads(named("tasks.json"))["tasks"][0]["command"])
    return [HOLE.sub(lambda hole: HOLES[hole[0]], line) for line in found]


@pytest.mark.parametrize("line", command_lines())
def test_a_command_line_is_understood(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(line, comments=True)[1:]
    if words[-1:] == ["--help"] or (len(words) == 1 and words[0] in PARSERS):
        return
    if words[:1] == ["x.py"] and (len(words) == 2 or words[1] not in parser().format_help()):
        assert any(words[1] in made.format_help() for made in PARSERS.values())
    elif words and words[0] in ("explain", "schema"):
        assert main(words) == 0
        assert capsys.readouterr().out
    elif words and words[0] in PARSERS:
        PARSERS[words[0]].parse_args(words[1 : words.index("--")] if "--" in words else words[1:])
    else:
        parser().parse_args(words)


@pytest.mark.skipif(not HOOKS.exists(), reason="only in a checkout")
def test_the_options_of_the_hook_and_the_hook_itself_exist() -> None:
    (hook,) = re.findall(r"- id: (\S+)", named(".pre-commit-config.yaml"))
    assert f"- id: {hook}\n" in HOOKS.read_text(encoding="utf-8")
    given = [words.split(", ") for words in re.findall(r"`args: \[(.+?)\]`", TEXT)]
    assert given == [["--error-on", "certain"], ["."]]
    for words in given:
        parser().parse_intermixed_args(words)


def test_rules_that_are_named_exist() -> None:
    rules = load()
    assert set(re.findall(r"\bAOTI\d{3}\b", TEXT)) <= set(rules.names)
    assert set(re.findall(r"\[(AOTI\d)xx\]", PAGES["README.md"])) == {code[:5] for code in rules.names}


def test_the_table_of_rules_is_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    script = importlib.import_module("make_rule_table")
    text = script.page(script.source)
    assert script.PAGE.read_bytes() == text.encode(), "run python scripts/make_rule_table.py"
    named = re.findall(r"^\| \[(AOTI\d+)\]\(\S+\) (\S+) \|", text, re.MULTILINE)
    assert sorted(named) == sorted((rule.code, rule.name) for rule in load() if rule.code.startswith("AOTI"))


def test_the_readme_is_short() -> None:
    assert len(PAGES["README.md"].splitlines()) <= 200


def test_the_versions_of_torch_are_the_known_ones() -> None:
    assert f"knows {MINORS[0]} to {MINORS[-1]}." in TEXT.replace("\n", " ")
    for text in ("2.8..2.11", ">=2.8,<2.12"):
        assert text in TEXT
        assert VersionSet.parse(text) == VersionSet.between("2.8", "2.11")


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    """To files; whether a page has the heading too is seen when the site is made."""
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)]+)\)", BLOCK.sub("", PAGES[page]))]
    there = (ROOT / page).parent
    assert [link for link in links if not link.startswith("https:") and not (there / link).exists()] == []


@pytest.mark.skipif(not CI.exists() or BASH is None, reason="only in a checkout, and where there is a shell")
@pytest.mark.parametrize("heading", ["Start", "Tests"])
def test_the_commands_of_the_readme_are_those_that_are_run_from_nothing(heading: str) -> None:
    script = CI.read_text(encoding="utf-8")
    (function,) = re.findall(r"^readme\(\) \{\n.*?^\}\n", script, re.MULTILINE | re.DOTALL)
    assert f"readme {heading})" in script
    command = [str(BASH), "-c", f"{function}readme {heading}"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert [run] == [block.text for block in sections(PAGES["README.md"])[heading]]


def test_the_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(named("session"), names)
    found = names["found"]
    assert isinstance(found, list)
    assert [one["code"] for one in found] == ["AOTI202"]
