"""What is run again after an edit, and where what the rest did is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.cli.main import main
from aoti_lint.config import Config
from aoti_lint.engine.check import check
from aoti_lint.files import opener
from aoti_lint.language import imports
from aoti_lint.linking import analysis
from aoti_lint.machine.recorded import recording, units
from aoti_lint.machine.recorded.open_unit import Open
from aoti_lint.machine.recorded.units import Units
from aoti_lint.options import Options

SCRIPT = """\
import torch
import shapes
import unused

program = torch.export.export(torch.nn.Linear(8, 8), (torch.randn(2, 8),))
program.module()(torch.randn(shapes.rows(), 8))
"""
FILES = {
    "pyproject.toml": "",
    "serve.py": SCRIPT,
    "shapes.py": "import unused\n\ndef rows():\n    return 2\n",
    "unused.py": "import torch\n\ndef load(path):\n    return torch._inductor.aoti_load_package(path)\n",
    "registry.py": "MODELS = {}\n\ndef register(kind):\n    MODELS[kind.__name__] = kind\n    return kind\n",
    "one.py": "import torch, registry\n\n@registry.register\nclass One(torch.nn.Linear):\n    pass\n",
    "two.py": "import torch, registry\n\n@registry.register\nclass Two(torch.nn.Linear):\n    pass\n",
    "built.py": "import torch, registry, one, two\n\nmodel = registry.MODELS['One'](8, 8)\n"
    "torch.export.export(model, (torch.randn(2, 8),)).module()(torch.randn(3, 8))\n",
}


class Runs:
    """Checks of a folder, with what each ran."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._cache = str(folder / "kept")
        self.ran: list[str] = []
        self.judged: list[str] = []
        """The codes of the rules that were asked, or "" where they were asked together."""
        close = recording.Recording._close

        def note(recorded: recording.Recording, one: Open) -> None:
            if one.key[0] == "rules":
                self.judged.append(one.key[1].partition(" ")[2])
            elif one.key[0] != "join":
                self.ran.append(f"{one.key[0]} {one.key[1]}")
            close(recorded, one)

        monkeypatch.setattr(recording.Recording, "_close", note)

    def codes(self, *paths: str) -> list[str]:
        """What is found; that is what is found where nothing is remembered."""
        self.ran.clear()
        self.judged.clear()
        found = check(Options([*paths], Config(), cache_dir=self._cache)).document
        ran, judged = [*self.ran], [*self.judged]
        assert found == check(Options([*paths], Config(), cache=False)).document
        self.ran, self.judged = ran, judged
        return [one["code"] for one in found["diagnostics"]]


@pytest.fixture(params=[0, units.MANY], ids=["told together", "each"])
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Runs:
    monkeypatch.setattr(units, "MANY", request.param)
    monkeypatch.setattr(analysis, "MANY", request.param)
    folder = tmp_path / "project"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    monkeypatch.chdir(folder)
    # What other tests have opened is none of these files.
    opener.forget()
    return Runs(tmp_path, monkeypatch)


def edit(name: str, old: str, new: str) -> None:
    path = Path(name)
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


def test_the_next_command_runs_what_the_edit_touches(runs: Runs) -> None:
    assert runs.codes("serve.py") == []
    assert "import shapes.py" in runs.ran
    edit("serve.py", "import torch\n", "import torch\nimport os\n")
    assert runs.codes("serve.py") == []
    assert {key.split()[1] for key in runs.ran} == {"serve.py"}


def test_rules_run_where_something_else_happens(runs: Runs) -> None:
    """Or where a file changed that they read."""
    assert runs.codes("built.py") == ["AOTI301"]
    assert runs.judged
    edit("registry.py", "MODELS = {}\n", "# above\nMODELS = {}\n")
    edit("built.py", "model = ", "# above\nmodel = ")
    assert runs.codes("built.py") == ["AOTI301"]
    assert runs.judged == []
    edit("built.py", "(3, 8)", "(2, 8)")
    assert runs.codes("built.py") == []
    assert runs.judged


@pytest.mark.parametrize("head", ["def main():\n", "if True:\n  def main():\n"])
def test_rules_do_not_run_where_lines_of_a_function_only_move(runs: Runs, head: str) -> None:
    """What happens on them is the same, also to who looks into the function; and what is found there."""
    Path("moved.py").write_text(f"""\
import torch
{head}    model = torch.nn.Linear(8, 8)
    program = torch.export.export(model, (torch.randn(2, 8),))
    _ = program.module()(torch.randn(3, 8))
    return program
main()
""")
    Path("looks.py").write_text("import moved\n\nmoved.main().module()\n")
    assert runs.codes("moved.py", "looks.py") == ["AOTI301"]
    assert runs.judged
    for old, new in (("    program =", "    size = 3\n\n    program ="), ("    size = 3", "    # sizes\n    size = 4")):
        edit("moved.py", old, new)
        assert runs.codes("moved.py", "looks.py") == ["AOTI301"]
        assert "functions moved.py" in runs.ran
        assert runs.judged == []
    edit("moved.py", "(2, 8)", "(3, 8)")
    assert runs.codes("moved.py", "looks.py") == []
    assert runs.judged


def test_rules_do_not_run_where_other_things_are_made_between(runs: Runs) -> None:
    """What happens is the same then, but for the numbers of what was made."""
    body = "    model = torch.nn.Linear(8, 8)\n    program = torch.export.export(model, (torch.randn(2, 8),))\n"
    Path("made.py").write_text(f"import torch\ndef main():\n{body}    program.module()(torch.randn(3, 8))\n")
    assert runs.codes("made.py") == ["AOTI301"]
    edit("made.py", "    model =", "    sizes, names = [], {'a': [1]}\n    model =")
    assert runs.codes("made.py") == ["AOTI301"]
    assert "functions made.py" in runs.ran
    assert runs.judged == []
    other = "    other = torch.export.export(model, (torch.randn(3, 8),))\n"
    edit("made.py", "    program.module", f"{other}    other.module")
    assert runs.codes("made.py") == []


def test_only_those_rules_run_that_may_find_something_else(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is much to ask they are asked one by one, and each depends on what it asked for."""
    monkeypatch.setattr(analysis, "MANY", 0)
    assert runs.codes("built.py") == ["AOTI301"]
    assert {"AOTI301", "AOTI402", "AOTI502"} <= {*runs.judged}
    edit("built.py", "torch.export.export(", "fast = torch.compile(model, mode='max-autotune_')\ntorch.export.export(")
    assert {*runs.codes("built.py")} == {"AOTI301", "AOTI512"}
    edit("built.py", "max-autotune_", "max-autotuned")
    assert "AOTI512" in runs.codes("built.py")
    assert "AOTI512" in runs.judged
    assert "AOTI402" not in runs.judged


def test_rules_run_again_for_other_options(runs: Runs, tmp_path: Path) -> None:
    edit("built.py", "import torch, registry", "import torch, registry\n# aoti-lint: ignore-file[AOTI301]\n#")
    for words, codes in ((["--ignore", "AOTI301"], []), ([], []), (["--no-ignores"], ["AOTI301"])):
        for _ in range(2):
            heeded = "--no-ignores" not in words
            options = Options(["built.py"], Config(), cache_dir=str(tmp_path / "kept"), ignores=heeded,
                              ignore=words[1:])  # fmt: skip
            assert [one["code"] for one in check(options).document["diagnostics"]] == codes


def test_what_a_script_looks_into_is_run_again_with_it(runs: Runs) -> None:
    runs.codes("serve.py")
    edit("shapes.py", "return 2", "return 3")
    assert runs.codes("serve.py") == ["AOTI301"]
    assert runs.ran == ["import serve.py"]


def test_what_a_module_calls_when_it_is_imported_is_run_again_with_it(runs: Runs) -> None:
    edit("shapes.py", "import unused\n", "import unused\n\ndef half():\n    return 1\n\nHALF = half()\n")
    edit("shapes.py", "return 2", "return HALF * 2")
    assert runs.codes("serve.py") == []
    edit("shapes.py", "return 1", "return 2")
    assert runs.codes("serve.py") == ["AOTI301"]
    assert "import shapes.py" in runs.ran


def test_modules_that_import_each_other_are_not_run_again_for_a_body(runs: Runs) -> None:
    edit("unused.py", "import torch\n", "import torch, shapes\n")
    assert runs.codes("serve.py") == []
    edit("shapes.py", "return 2", "return 3")
    edit("unused.py", "(path)\n", "(path)\n    # beside\n")
    assert runs.codes("serve.py") == ["AOTI301"]
    assert not {"import shapes.py", "import unused.py"} & {*runs.ran}
    edit("shapes.py", "def rows():\n", "def rows(n=1):\n")
    assert runs.codes("serve.py") == ["AOTI301"]
    assert {"import shapes.py", "import unused.py"} <= {*runs.ran}


def test_a_class_whose_span_is_told_is_where_it_is_now(runs: Runs) -> None:
    """A place behind the head of a definition depends on what that holds."""
    edit("shapes.py", "import unused\n", "import torch\n\nclass Old(torch.nn.Module):\n    def forward(self, x):\n"
         "        return x[0] * 2 if x.sum() > 2 else x\n")  # fmt: skip
    Path("uses.py").write_text("import torch, shapes\ntorch.export.export(shapes.Old(), (torch.randn(2),))\n")
    before = runs.codes("uses.py")
    edit("shapes.py", "        return", "        y = x.relu()\n        return")
    assert runs.codes("uses.py") == before != []
    assert "import shapes.py" not in runs.ran


def test_code_that_is_only_moved_is_not_run_again(runs: Runs) -> None:
    """Nor are those who look into it."""
    runs.codes("serve.py", "built.py")
    edit("shapes.py", "import unused\n", "# above\n\nimport unused\n# beside\n")
    edit("registry.py", "MODELS = {}\n", "# above\n\nMODELS = {}\n")
    edit("one.py", "import torch", "# above\nimport torch")
    assert runs.codes("serve.py", "built.py") == ["AOTI301"]
    assert runs.ran == []


def test_what_is_merely_imported_is_run_again_alone(runs: Runs) -> None:
    """Nobody who imports it is, unless importing it does something else to the process."""
    runs.codes("serve.py")
    edit("unused.py", "(path)\n", "(path, run_single_threaded=True)\n")
    assert runs.codes("serve.py") == []
    assert runs.ran == ["script unused.py", "functions unused.py"]
    edit("unused.py", "import torch\n", "import os, torch\nos.environ['TORCH_LOGS'] = 'dynamo'\n")
    runs.codes("serve.py")
    assert {"import unused.py", "import shapes.py", "script serve.py"} <= {*runs.ran}


def test_what_others_put_into_a_registry_is_known_by_what_it_is(runs: Runs) -> None:
    """The one that registers is run again; those who read the registry only where something else is there."""
    assert runs.codes("built.py") == ["AOTI301"]
    edit("two.py", "    pass\n", "    pass\n\nprint('registered')\n")
    assert runs.codes("built.py") == ["AOTI301"]
    assert runs.ran == ["import two.py"]
    edit("one.py", "@registry.register\n", "@registry.register\n@registry.register\n")
    assert runs.codes("built.py") == ["AOTI301"]
    assert "import built.py" in runs.ran


def test_other_files_may_be_named(runs: Runs) -> None:
    """What they share is not run again."""
    runs.codes("serve.py")
    runs.codes("shapes.py", "serve.py")
    assert "import unused.py" not in runs.ran


def test_too_many_modules_are_too_many_whoever_ran_them(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was followed in a smaller run is not followed where too much is imported before it."""
    monkeypatch.setattr(imports, "MAX_MODULES", 2)
    for script in ("serve.py", "built.py"):
        runs.codes(script)
    edit("built.py", "(3, 8)", "(4, 8)")
    runs.codes("built.py", "serve.py")


def test_what_could_not_be_followed_is_told_again(
    runs: Runs, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--why-silent` says the same whether what it speaks of was run now or earlier."""
    edit("serve.py", "(shapes.rows(), 8)", "*open('inputs').read()")
    told = []
    for words in (["--no-cache"], ["--cache-dir", str(tmp_path / "c")], ["--cache-dir", str(tmp_path / "c")]):
        main(["serve.py", "--why-silent", "serve.py:6", *words])
        told.append(capsys.readouterr().out)
    assert told[0] == told[1] == told[2]
    assert len(told[0].splitlines()) > 2


def test_what_is_no_unit_is_run(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever stands in the cache in the place of units, all is said."""
    assert runs.codes("built.py") == ["AOTI301"]
    monkeypatch.setattr("aoti_lint.files.cache.Cache.get", lambda *_: None)
    for text in (b"", b"{}", b"[]", b'{"about":[null]}\n', b"null\nnull"):
        monkeypatch.setattr("aoti_lint.files.cache.Cache.get_text", lambda *_, text=text: text)
        assert runs.codes("built.py") == ["AOTI301"]


def test_parts_that_cannot_be_read_begin_all_anew(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    """The heads of units may be right where what they did is not."""
    assert runs.codes("built.py") == ["AOTI301"]
    read = Units._read

    def spoiled(units: Units, key: object) -> object:
        unit = read(units, key)  # type: ignore[arg-type]
        for _, part in (unit.parts or ()) if unit is not None else ():
            part._text = b"no JSON"
        return unit

    monkeypatch.setattr(Units, "_read", spoiled)
    edit("built.py", "(3, 8)", "(4, 8)")
    assert runs.codes("built.py") == ["AOTI301"]


def test_who_looks_into_one_module_of_a_circle_is_not_run_for_another(runs: Runs) -> None:
    """And nobody judges again where no fact is another."""
    Path("left.py").write_text("import right\n\nclass Left:\n    def width(self):\n        return 2\n\nLEFT = Left()\n")
    Path("right.py").write_text("import left\n\ndef rows():\n    return 2\n")
    Path("circle.py").write_text(
        "import torch\nimport left, right\n\nlayer = torch.nn.Linear(8, 8)\n"
        "program = torch.export.export(layer, (torch.randn(2, 8),))\n"
        "program.module()(torch.randn(right.rows(), 8))\n"
    )
    assert runs.codes("circle.py") == []
    assert "import left.py" in runs.ran
    edit("left.py", "        return 2", "        wide = 1\n        return 1 + wide")
    assert runs.codes("circle.py") == []
    assert "script circle.py" not in runs.ran
    assert runs.judged == []
    edit("right.py", "return 2", "return 3")
    assert runs.codes("circle.py") == ["AOTI301"]
