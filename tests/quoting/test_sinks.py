"""Nothing is printed but by the sinks, and marked text is made where its medium is known."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aoti_lint.quoting import cpp, html, json, python, shell, workflow
    from aoti_lint.quoting.terminal import write
    from aoti_lint.report.output import Output

PROJECT = Path(__file__).parents[2]
SINKS = {
    "aoti_lint/quoting/terminal.py", "aoti_lint/report/output.py", "aoti_lint/report/tables.py",
    "aoti_lint/cli/shared/parser.py",
}  # fmt: skip
ELSEWHERE = {
    "aoti_lint/rerun/formats/frame.py": "is written into plans, and runs beside the user's program",
    "aoti_lint/rerun/formats/hook.py": "is written beside plans, and runs in the user's process",
    "aoti_lint/rerun/inside/profiled.py": "runs in the user's process",
    "aoti_lint/rerun/inside": "runs in the user's process",
    "aoti_lint/probe/child.py": "its standard error is read by its parent",
    "aoti_lint/isolated/serving.py": "its streams are read by its parent",
    "aoti_lint/program/verify/child/loading.py": "runs in a child, whose standard error is read by its parent",
}
PASSED_ON = {("aoti_lint/cli/triage.py", "sys.stdout.buffer"), ("aoti_lint/roots/side_by_side.py", "os.write")}
"""`triage -` hands the log on to the next program of a pipe, byte for byte; processes of one check write numbers into
pipes of their own."""
MARKS = {"Marked", "Shown", "Shell", "Python", "Cpp", "Html", "Json", "Workflow", "Dot", "Mermaid"}


@cache
def sources() -> list[tuple[str, ast.Module]]:
    found = []
    for folder in ("aoti_lint", "rules"):
        for path in sorted((PROJECT / folder).rglob("*.py")):
            name = path.relative_to(PROJECT).as_posix()
            if not any(name == other or name.startswith(f"{other}/") for other in ELSEWHERE):
                found.append((name, ast.parse(path.read_text(encoding="utf-8"))))
    return found


def prints(tree: ast.Module) -> Iterator[str]:
    """What a module does that writes to a terminal."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called in ("print", "pprint", "warnings.warn", "os.write", "ArgumentParser"):
                yield called
            if called.endswith((".print_exc", ".print_exception", ".print_stack", ".print_help", ".print_usage")):
                yield called
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("sys.stdout", "sys.stderr"):
            if node.attr not in ("isatty", "flush", "fileno", "encoding"):
                yield ast.unparse(node)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            yield from (f"import {name}" for name in names if name.partition(".")[0] in ("rich", "logging"))


def test_nothing_is_printed_beside_the_sinks() -> None:
    found = {(name, what) for name, tree in sources() if name not in SINKS for what in prints(tree)}
    assert found == PASSED_ON


def test_what_forbids_printing_sees_it() -> None:
    source = "print(1)\nsys.stderr.write('x')\nfrom rich.text import Text\ntraceback.print_exc()\nArgumentParser()"
    assert sorted(prints(ast.parse(source))) == [
        "ArgumentParser", "import rich.text", "print", "sys.stderr.write", "traceback.print_exc"
    ]  # fmt: skip


def made(tree: ast.Module) -> Iterator[str]:
    """Marked text that is made of something else than what stands in the source."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in MARKS:
            if not (len(node.args) == 1 and isinstance(node.args[0], ast.Constant)):
                yield ast.unparse(node)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "form":
            template = ast.unparse(node.args[0])
            if not isinstance(node.args[0], ast.Constant) and not template.startswith("template."):
                yield ast.unparse(node)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "cast":
            yield from (ast.unparse(node) for name in ast.unparse(node.args[0]).split(".") if name in MARKS)


def test_marked_text_is_made_by_the_module_of_its_medium() -> None:
    outside = [(name, tree) for name, tree in sources() if not name.startswith("aoti_lint/quoting/")]
    assert {name for name, tree in outside for _ in made(tree)} == {"aoti_lint/report/output.py"}
    assert len(list(made(ast.parse("Html(x)\nform(a, b)\ncast(Shell, x)\nHtml('x')\nform('%s', b)")))) == 3


if TYPE_CHECKING:
    # The type checker refuses plain text where a medium is written: it says so of an ignored error that is none.
    def _refused(text: str) -> None:
        write(sys.stdout, text)  # type: ignore[arg-type]
        Output(None).document(text)  # type: ignore[arg-type]
        shell.form("run %s", text)  # type: ignore[arg-type]
        shell.joined([text])  # type: ignore[list-item]
        python.form("@A@", A=text)  # type: ignore[arg-type]
        python.joined([text])  # type: ignore[list-item]
        html.whole(text)  # type: ignore[arg-type]
        html.xml(text)  # type: ignore[arg-type]
        workflow.joined([text])  # type: ignore[list-item]
        Output(None).document(shell.word(text))
        Output(None).document(json.document(text))
        Output(None).document(python.literal(text))
        Output(None).document(cpp.literal(text))
        Output(None).document(html.el("p", text))
        Output(None).document(workflow.command("error", text))
