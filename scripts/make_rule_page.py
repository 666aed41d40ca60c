"""Writes `docs/rule_interface.md` from `aoti_lint.rule`: what rules are written with.

    python scripts/make_rule_page.py

The same interface gives the same bytes. Refuses to drop a name as long as `API` is what it was.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "rule_interface.md"
PACKAGE = ROOT / "aoti_lint" / "rule"
MODULES = (
    "", "events", "values", "shapes", "inputs", "links", "archives", "contents", "ops", "trials", "native", "torch",
    "project", "written",
)  # fmt: skip
"""The modules of the interface, in the order of the page."""

HEAD = """\
<!-- Made by scripts/make_rule_page.py from aoti_lint/rule/. Do not edit. -->

# What rules are written with

Version {api} of `aoti_lint.rule`. Names are added to a version; none goes, and none changes its meaning, before the
next one. A rule may say `api = {api}`: another aoti-lint then refuses it, in one sentence, before anything is checked.

A rule is a class. [CONTRIBUTING.md](../CONTRIBUTING.md#your-first-rule) writes one in this repository, and
[example_rule](../tests/packaging/example_rule/README.md) is a whole package with one of somebody else's, in about 30
lines: it is installed beside aoti-lint and names its rule in the entry points `aoti_lint.rules`. Selection, severities,
suppression and `aoti-lint explain` treat it like the built-in ones.

- It is asked for the events of a kind, by methods that are named after it: `on_export(self, facts, event)` for each
  `ExportEvent`, `on_api_call` for each `ApiCall`. A method that is named after no event is an error. A rule that has to
  see several events at once has `check(self, facts)` instead and asks `facts.of(ExportEvent, ApiCall)`.
- With `in_exports = True` it is asked for what happens in the forward of an exported model as well, as the export runs
  it; then `event.export` is the place of the export: the `ExportEvent` of the same `root` has it as its `span`.
  `facts.of(ApiCall, in_exports=True)` does the same, as in `rules/ops/no_kernel_for_device.py`.
- With `onnx = True` its method `on_export` is asked for exports to ONNX as well (`OnnxExport`): what it says holds for
  them. `self.exports(facts)` gives the exports it is asked for.
- Whatever an event holds may depend on conditions: what an `if` decided, which version of torch runs. `judge` asks a
  question about values under each consistent answer and gives how sure it is, with the values of one such case; None if
  it is not so. What is not known is not judged.
- `self.found(facts, event, confidence, message, …)` makes the finding, with the severity that its confidence and the
  versions allow; `label`, `related`, `help`, `fix` and the other fields of a `Diagnostic` may be given by name.
- Events, values and facts are there to be read: a rule changes nothing of them.
"""


def page() -> str:
    """The whole page."""
    parts = [HEAD.format(api=_api())]
    for module in MODULES:
        path = _path(module)
        summary = (ast.get_docstring(_tree(path)) or "").partition("\n")[0]
        rows = [f"| `{name}` | {_cell(_doc(name, path))} |" for name in public(module)]
        title = f"aoti_lint.rule.{module}".rstrip(".")
        parts.append("\n".join([f"## `{title}`", "", summary, "", "| name | what it is |", "| --- | --- |", *rows]))
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def public(module: str) -> list[str]:
    """The names in the `__all__` of a module of the interface."""
    for node in _tree(_path(module)).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return sorted(ast.literal_eval(node.value), key=str.lower)
    raise SystemExit(f"{_path(module)} has no __all__")


def dropped(before: str, now: str) -> list[str]:
    """The names that one page has and the other has not, if both are of one version."""
    version = re.compile(r"^Version (\d+)", re.M)
    if version.findall(before) != version.findall(now):
        return []
    return [name for name in _names(before) if name not in set(_names(now))]


def _names(text: str) -> Iterator[str]:
    module = ""
    for line in text.splitlines():
        if line.startswith("## "):
            module = line.strip("#` ")
        elif line.startswith("| `"):
            yield f"{module}.{line.split('`')[1]}"


def _api() -> int:
    found = re.search(r"^API = (\d+)$", (PACKAGE / "base.py").read_text(encoding="utf-8"), re.M)
    assert found is not None
    return int(found[1])


def _path(module: str) -> Path:
    return PACKAGE / f"{module or '__init__'}.py"


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _doc(name: str, path: Path) -> str:
    """The first sentence that is said of a name where it is defined."""
    body: list[ast.stmt] = []
    for node in _tree(path).body:
        # What type checkers see and what is run may be two things.
        body += [*node.body, *node.orelse] if isinstance(node, ast.If) else [node]
    for number, node in enumerate(body):
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
            return _sentence(ast.get_docstring(node) or "") + _parts(node)
        if isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            after = body[number + 1] if number + 1 < len(body) else None
            if ast.unparse(target) == name:
                said = after.value if isinstance(after, ast.Expr) else None
                text = said.value if isinstance(said, ast.Constant) and isinstance(said.value, str) else ""
                return _sentence(text)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("aoti_lint"):
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return _of_import(node.module, alias.name)
    raise SystemExit(f"{path}: {name} is defined nowhere")


def _parts(node: ast.ClassDef | ast.FunctionDef) -> str:
    """What a function takes and gives; the fields of a class."""
    if isinstance(node, ast.FunctionDef):
        gives = f" -> {ast.unparse(node.returns)}" if node.returns is not None else ""
        return f"<br>`({ast.unparse(node.args)}){gives}`"
    fields = [(ast.unparse(one.target), one.annotation) for one in node.body if isinstance(one, ast.AnnAssign)]
    told = ", ".join(f"{name}: {ast.unparse(kind)}" for name, kind in fields if not name.startswith("_"))
    return f"<br>`{told}`" if told else ""


def _of_import(module: str, name: str) -> str:
    folder = ROOT.joinpath(*module.split("."))
    inner = folder / f"{name}.py"
    if inner.is_file():
        return _sentence(ast.get_docstring(_tree(inner)) or "")
    return _doc(name, folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py"))


def _sentence(text: str) -> str:
    return re.split(r"(?<=\.)\s(?=[A-Z`])", " ".join(text.partition("\n\n")[0].split()), maxsplit=1)[0]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def main() -> int:
    """Write the page."""
    now = page()
    lost = dropped(PAGE.read_text(encoding="utf-8"), now) if PAGE.is_file() else []
    if lost:
        print(f"{', '.join(lost)}: public in this version; raise API in aoti_lint/rule/base.py", file=sys.stderr)
        return 1
    PAGE.write_text(now, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
