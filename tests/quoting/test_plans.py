"""What is written to be run: plans and scripts hold the words that they were given, and nothing of them runs."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.cli.main import main
from aoti_lint.program.verify.protocol import Open, Opened
from aoti_lint.program.verify.snippet import _loading
from aoti_lint.rerun.formats import written
from aoti_lint.rerun.plan.plan import FOLDER, Plan, Stage, Step
from aoti_lint.rerun.report.page import html
from aoti_lint.rerun.report.text import text
from aoti_lint.rerun.repro.extern import of_user
from aoti_lint.rerun.repro.words import name
from aoti_lint.rerun.result import Result
from aoti_lint.rerun.wrapper.errors import NoRepro
from tests.quoting.polyglot import ARGUMENT, NAME, POLYGLOT, holds
from tests.rerun.plans import WHOLE
from tests.rerun.results import found, nothing

BASH = shutil.which("bash")
needs_bash = pytest.mark.skipif(BASH is None or sys.platform == "win32", reason="there is no bash")
kinds = pytest.mark.parametrize("kind", [pytest.param("sh", marks=needs_bash), "python"])
OPTIONS = ["--torch-version", "2.13", "--device", "cpu", "--symptom", "nan"]
STUB = """\
#!{python}
import json, os, sys
with open(os.environ["SEEN"], "a") as file:
    print(json.dumps([sys.argv[1:], os.environ.get("POLYGLOT")]), file=file)
"""
LINES = "import torch\nprint('one')\nprint('two')"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, with a `python` first on the path that notes what it is given."""
    stub = tmp_path / "bin" / "python"
    stub.parent.mkdir()
    stub.write_text(STUB.format(python=sys.executable), encoding="utf-8")
    stub.chmod(0o755)
    place = tmp_path / "here"
    place.mkdir()
    monkeypatch.chdir(place)
    monkeypatch.setenv("PATH", f"{stub.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("SEEN", str(tmp_path / "seen"))
    monkeypatch.setenv("OUT", str(tmp_path / "out"))
    return tmp_path


def run(folder: Path, kind: str, plan: bytes, *stages: str) -> list[list[Any]]:
    """Run stages of a plan; gives what the stub was given each time."""
    path = folder / ("rerun.sh" if kind == "sh" else "rerun.py")
    path.write_bytes(plan)
    holds(plan.decode("utf-8"))
    if kind == "sh":
        assert subprocess.run([str(BASH), "-n", str(path)], check=False).returncode == 0
    words = [str(BASH) if kind == "sh" else sys.executable, str(path), *stages]
    done = subprocess.run(words, capture_output=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not list(folder.rglob("*PWNED*"))
    holds(done.stdout.decode("utf-8", "surrogateescape"))
    holds(done.stderr.decode("utf-8", "surrogateescape"))
    return [json.loads(line) for line in (folder / "seen").read_text(encoding="utf-8").splitlines()]


def plan_of(*words: str, **environment: str) -> Plan:
    """A plan with the polyglot wherever it has text."""
    step = Step(phase="whole", command=words, environment=environment, config={POLYGLOT: POLYGLOT})
    stage = Stage(name="s1", title=POLYGLOT, why=POLYGLOT, reads=POLYGLOT, steps=(step,))
    return Plan(
        target=words, symptom="nan", reasons=(POLYGLOT,), torch=POLYGLOT, notes=(POLYGLOT,), stages=(stage,), runs=1,
        packages=(ARGUMENT, f"{NAME}/net.pt2"),
    )  # fmt: skip


@kinds
def test_plans_run_the_words_that_they_were_given(folder: Path, kind: str) -> None:
    given = ["-c", LINES, ARGUMENT, "", "a b", "\udcff", "'''", "$HOME", "END OF FILE", "\n# x\ntouch PWNED\n"]
    ((words, variable),) = run(folder, kind, written(plan_of("python", *given, POLYGLOT=ARGUMENT), kind).encode())
    assert words == given
    assert variable == ARGUMENT


@needs_bash
def test_a_variable_with_a_name_that_is_none(folder: Path) -> None:
    plan = plan_of("python", "x", **{"A$(touch PWNED)": f"{FOLDER}/`touch PWNED`"})
    assert run(folder, "sh", written(plan, "sh").encode())[0][0] == ["x"]


@kinds
@pytest.mark.parametrize(
    "words",
    [
        ["--", "python", "-c", LINES], ["--", "python", "-c", f"{LINES}{ARGUMENT}"], ["--", "python", "-m", NAME],
        ["--", "python", "-m", "pytest", f"t.py::test[{NAME}]"], ["--", "env", f"A={ARGUMENT}", "python", "x.py"],
        ["--", f"A={ARGUMENT}", "python", "x.py"], ["--python", "python", "x.py", "--", ARGUMENT],
        ["--python", "python", f"{NAME}.py", "--", "a"], ["--python", "python", "\udcff.py"],
        ["--python", "python", f"{NAME}/{NAME}.py"], ["--build", "b.py", "--", "python", ARGUMENT],
    ],
    ids=range(11),
)  # fmt: skip
def test_the_command_writes_plans_that_run(
    folder: Path, kind: str, words: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    os.mkdir(NAME)
    for path in ("x.py", "b.py", f"{NAME}.py", f"{NAME}/{NAME}.py", "\udcff.py"):
        Path(path).write_text(WHOLE, encoding="utf-8")
    expected = words[words.index("python") + 1 :] if "python" in words else []
    expected = [word for word in expected if word != "--"]
    told = [*expected[:2], "-s", *expected[2:]] if "pytest" in expected else expected
    for shown in ([], ["--output-format", "json"], ["--output-format", kind]):
        assert main(["rerun", *OPTIONS, *shown, *words]) == 0
        printed = capfd.readouterr()
        holds(printed.out)
        holds(printed.err)
        if shown == ["--output-format", "json"]:
            plan = Plan(**json.loads(printed.out))
            assert tuple(expected) == plan.target[-len(expected) :]
    commands = [seen for seen, _ in run(folder, kind, printed.out.encode(), plan.stages[0].name)]
    assert expected in commands or told in commands, commands


@pytest.mark.skipif(sys.platform == "win32", reason="such names are for POSIX")
def test_a_script_whose_name_is_no_utf_8(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    name = os.fsdecode(b"\xff\xfe.py")
    Path(name).write_text(WHOLE, encoding="utf-8")
    for end in ("sh", "py", "json"):
        assert main(["rerun", *OPTIONS, "--python", "python", name, "-o", f"plan.{end}"]) == 0
        holds(capfd.readouterr().out)
        text = Path(f"plan.{end}").read_text(encoding="utf-8")
        assert {"sh": r"$'\xff\xfe'", "py": r"'\udcff\udcfe.py'", "json": r'"\udcff\udcfe.py"'}[end] in text


def test_a_comment_is_never_live() -> None:
    plan = plan_of("python", "-c", f"x\ntouch PWNED\n{POLYGLOT}")
    script = written(plan, "python")
    tree = ast.parse(script)
    clean = ast.parse(written(plan.model_copy(update={"target": ("x",), "notes": (), "reasons": ()}), "python"))
    assert ast.dump(tree) == ast.dump(clean)
    (value,) = [node.value for node in tree.body if isinstance(node, ast.AnnAssign)]
    assert value is not None
    assert ast.literal_eval(value)["stages"][0]["steps"][0]["command"] == list(plan.target)


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: set[str] = set()
        self.links: list[str | None] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes |= {key for key, _ in attrs}
        self.links += [value for key, value in attrs if key in ("href", "src")]


@pytest.mark.parametrize("make", [found, nothing])
def test_a_report(make: Any, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every string of a result, on the terminal, in the page and as JSON."""
    plain: Result = make(folder)
    kept = ("kind", "how", "when", "symptom", "format", "schema", "folder", "bars", "log")

    def poisoned(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: poisoned(item, name) for name, item in value.items()}
        if isinstance(value, list):
            return [poisoned(item, key) for item in value]
        return value + POLYGLOT if isinstance(value, str) and key not in kept else value

    result = Result.model_validate(poisoned(plain.model_dump(mode="json", by_alias=True)))
    from aoti_lint.report.output import Output
    from aoti_lint.rerun.report.words import json_text

    with Output(None) as output:
        output.styled(text(result))
        output.document(json_text(result))
    holds(capsys.readouterr().out)
    before, after = _Page(), _Page()
    before.feed(html(plain))
    after.feed(html(result))
    assert (after.elements, after.attributes) == (before.elements, before.attributes)
    assert not after.links


@pytest.mark.parametrize("bad", ["x;import os", "a\nb", "a b", "", POLYGLOT, "a.b()"])
def test_names_out_of_a_package_are_names(bad: str) -> None:
    with pytest.raises(NoRepro, match="where a name of Python belongs"):
        name(bad)
    for target in (f"lab::{bad}", f"{bad}::pad"):
        with pytest.raises(NoRepro):
            of_user(None, None, {"target": target})  # type: ignore[arg-type]


def test_a_failure_is_shown_by_code_that_is_ours() -> None:
    asked = Open(
        package=f"{POLYGLOT}.pt2", package_model=POLYGLOT, program=POLYGLOT, program_model=POLYGLOT,
        script=f"/x/{NAME}.py", function="make", ops=(f"/y/{NAME};x.py", POLYGLOT), device=POLYGLOT,
    )  # fmt: skip
    lines = _loading(asked, Opened(roles=("package", "program"), torch="2.13"), example=True)
    holds("\n".join(lines))
    nodes = ast.walk(ast.parse("\n".join(lines)))
    calls = {ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)}
    assert calls <= {
        "sys.path.insert", "importlib.import_module", "torch.ops.load_library", "load_pt2", "load_package",
        "exported.module", "script.make", "torch.utils._pytree.tree_leaves", "torch._inductor.aoti_load_package",
    }  # fmt: skip
