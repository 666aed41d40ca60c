"""What each medium makes of the polyglot, and of text that does no harm."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from aoti_lint.quoting import cpp, html, python, shell, workflow
from aoti_lint.quoting.json import document, lines
from aoti_lint.quoting.terminal import Shown, fitted, line, visible
from tests.quoting.polyglot import ARGUMENT, POLYGLOT, holds

BASH = shutil.which("bash")
COMPILER = shutil.which("g++")
needs_bash = pytest.mark.skipif(BASH is None or sys.platform == "win32", reason="there is no bash")
HARMLESS = "naïve – 日本語 ❤️ é x[::2] a::b 50% # [1] ## two"


def test_a_terminal_shows_and_does_not_obey() -> None:
    holds(line(POLYGLOT))
    holds(line("  ", "::", "error::x"))
    holds(line("#", "#[error]"))
    assert line(HARMLESS) == HARMLESS
    assert visible("a\nb\x1b\u202e\U000e0041\udcff\t|") == "a\\nb\\x1b\\u202e\\U000e0041\\udcff    |"
    assert line(" ::: export.py:3:8") == " ::: export.py:3:8"
    assert line("  ::error::x") == "  \\x3a:error::x"
    assert line("a ##[group]") == "a \\x23#[group]"
    assert fitted(["#", "#vso[x]"]) == ["\\x23", "#vso[x]"]
    assert line(Shown("\x1b[0m")) == "\x1b[0m"


@pytest.mark.parametrize("hidden", ["\u200d", "\u00ad", "\ufeff", "\u2067", "\u034f", "\u3164", "\U000e0020", "\u180e"])
def test_what_is_not_seen_is_written_out(hidden: str) -> None:
    assert visible(f"a{hidden}b") == f"a{hidden.encode('unicode_escape').decode()}b"


@needs_bash
@pytest.mark.parametrize(
    "text", [ARGUMENT, HARMLESS, "", "-", "a b", "~", "{a,b}", "!x", "*", "a=b", "\udcff\udc80", "\\"]
)
def test_a_shell_word_is_that_word(text: str, tmp_path: Path) -> None:
    for word in (shell.word(text), shell.filled(text, {})):
        holds(word)
        script = tmp_path / "words.sh"
        script.write_text(f"printf '%s\\0' {word}\n", encoding="utf-8")
        done = subprocess.run([str(BASH), str(script)], cwd=tmp_path, capture_output=True, check=False)
        assert done.stdout == text.encode("utf-8", "surrogateescape") + b"\0", (word, done.stderr)
    assert [path.name for path in tmp_path.iterdir()] == ["words.sh"]


@needs_bash
def test_shell_comments_and_texts_end_where_they_end(tmp_path: Path) -> None:
    assert shell.comment(POLYGLOT).count("\n") == 0
    assert shell.comment("  why", indent=2) == "  #   why"
    text = "END OF FILE\n$(touch PWNED)\nEND OF FILE.\n"
    lines = [shell.comment(POLYGLOT), *shell.here(shell.word("it.txt"), text), shell.comment(POLYGLOT)]
    (tmp_path / "x.sh").write_text("\n".join(lines), encoding="utf-8")
    done = subprocess.run([str(BASH), "x.sh"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("", "")
    assert (tmp_path / "it.txt").read_text(encoding="utf-8") == text + "\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["it.txt", "x.sh"]


def test_names_are_names() -> None:
    assert shell.name("stage-1") == "stage-1"
    assert shell.path("-x.py") == "./-x.py"
    assert shell.command(["python", "a b.py"], {"A": "1 2"}) == "A='1 2' python 'a b.py'"
    for bad in ("a b", "a\n", "$(x)", "", "é"):
        with pytest.raises(ValueError, match="is no name"):
            shell.name(bad)
    assert python.dotted("aten.sort.stable") == "aten.sort.stable"
    assert python.dotted("a.b;c") is None


@pytest.mark.parametrize("text", [POLYGLOT, HARMLESS, "'''", '"""', "a\nb", "\\", "'", "x'''y\n", "##[x]", "\\##[x]"])
def test_python_is_that_value(text: str) -> None:
    for made in (python.literal(text), python.string(text), python.block(text), python.shown([text, {text: 1.5}])):
        holds(made)
        value = ast.literal_eval(made)
        assert value in (text, [text, {text: 1.5}])
    source = f"{python.docstring([text, text])}\n{python.comment(text)}\nx = 1\n"
    holds(source)
    document, assignment = ast.parse(source).body
    assert ast.unparse(assignment) == "x = 1"
    assert isinstance(document, ast.Expr)
    assert python.block("a\nb\n") == "r'''a\nb\n'''"
    assert python.literal(float("inf")) == 'float("inf")'


def test_a_frame_takes_values_and_nothing_of_them_is_the_frame() -> None:
    text = 'A: Any = {}\nB = ""\nprint(A, B)\n'
    value = 'B = ""\n'
    assert python.frame(text, A=python.literal(value), B=python.literal("b")) == (
        f"A: Any = {value!r}\nB = 'b'\nprint(A, B)\n"
    )


def test_json_is_ascii_and_valid() -> None:
    value = {"a": [POLYGLOT, HARMLESS], POLYGLOT: [float("nan"), float("-inf"), 1.5]}
    made = document(value)
    holds(made)
    assert made.isascii()
    assert json.loads(made) == {"a": [POLYGLOT, HARMLESS], POLYGLOT: [None, None, 1.5]}
    assert document({"a": "b"}, indent=None) == '{"a": "b"}'
    assert lines([POLYGLOT, {"a": 1}]).split("\n") == [document(POLYGLOT), '{"a": 1}', ""]


class _Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, tuple[tuple[str, str | None], ...]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, tuple(attrs)))


def test_html_has_the_elements_that_were_made() -> None:
    made = html.el("p", POLYGLOT, html.el("b", POLYGLOT, title=POLYGLOT))
    assert not re.search(r"(?m)[\x00-\x09\x0b-\x1f\x7f\u202e]|##\w*\[|^\s*::", made)
    parser = _Elements()
    parser.feed(made)
    assert [tag for tag, _ in parser.found] == ["p", "b"]
    ((name, value),) = parser.found[1][1]
    assert name == "title"
    assert "onerror=alert(1)" in str(value)


def test_xml_is_read_by_a_strict_reader() -> None:
    text = f"{POLYGLOT}{HARMLESS}\ufffe\uffff]]>\x00"
    made = html.xml(html.el("a", html.el("b", text, title=text), text))
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]|##\w*\[|(?m:^\s*::)", made)
    root = ElementTree.fromstring(made)
    assert [(root.tag, [child.tag for child in root])] == [("a", ["b"])]
    assert HARMLESS in str(root[0].text)
    assert HARMLESS in root[0].attrib["title"]


def test_a_workflow_gets_no_other_command() -> None:
    made = workflow.joined([workflow.command("error", POLYGLOT, file=POLYGLOT), workflow.command("notice", "x")])
    assert [line.partition(" ")[0] for line in made.split("\n")] == ["::error", "::notice"]
    first = made.partition("\n")[0]
    holds(first.replace("::error", "", 1))
    assert workflow.command("error", "50%\na", file="a,b:c") == "::error file=a%2Cb%3Ac::50%25%0Aa"


def test_cpp_is_a_literal_and_a_comment(tmp_path: Path) -> None:
    texts = [POLYGLOT, HARMLESS, "ends in \\", "trigraph ??/", "ends in \\ "]
    lines = ["#include <cstdio>"]
    for number, text in enumerate(texts):
        lines += [cpp.comment(text), f"const char text{number}[] = {cpp.literal(text)};", cpp.comment(text)]
        lines += [f'static_assert(sizeof text{number} == {len(text.encode(errors="replace")) + 1}, "");']
    source = "\n".join(lines) + "\n"
    holds(source)
    assert len(source.splitlines()) == 1 + 4 * len(texts)
    if COMPILER is None:
        pytest.skip("there is no compiler")
    (tmp_path / "it.cpp").write_text(source, encoding="utf-8")
    command = [COMPILER, "-fsyntax-only", "-trigraphs", "-Wall", "-Werror", str(tmp_path / "it.cpp")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_what_writers_put_together_is_looked_at() -> None:
    assert python.generated("x = 1\n") == "x = 1\n"
    with pytest.raises(ValueError, match="line 2 is not fit"):
        python.generated("x = 1\n# \x1b[31m")
    with pytest.raises(ValueError, match="line 1 is not fit"):
        cpp.generated("// ##[error]")
