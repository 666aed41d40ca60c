"""AOTI202 on hand-made events, and on scripts."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from aoti_lint.catalogue.registry import load
from aoti_lint.config import Config
from aoti_lint.diagnostics import Applicability, Confidence, Diagnostic, Outcome, Severity, Span
from aoti_lint.engine.check import check
from aoti_lint.machine.facts import Facts
from aoti_lint.options import Options
from aoti_lint.source.project import Project
from aoti_lint.source.text import Source
from aoti_lint.torch_api.versions import VersionSet
from aoti_lint.values.conditions import Cond
from aoti_lint.values.events.api import ApiUse
from aoti_lint.values.events.event import Order, Turn

RULE = load().rule("AOTI202")
UNKNOWN = {Cond(("truthy", "x"), "unknown", "x is not known"): True}


class Script:
    """A source with events on it; stands in for the project the rule asks for the text."""

    holds_torch = False

    def __init__(self, text: str, target: str) -> None:
        self.text = text
        self.facts = Facts(cast(Project, self), VersionSet.parse(target))

    def source(self, path: str) -> Source:
        return Source(path, self.text)

    def use(self, written: str, name: str, how: str = "attribute", *, nth: int = 0, **parts: Any) -> Script:
        """An event for the `nth` place where `written` stands."""
        start = -1
        for _ in range(nth + 1):
            start = self.text.index(written, start + 1)
        before = len(self.text[:start].encode())
        event: dict[str, Any] = {
            "root": "a.py",
            "order": Order(Turn(1, "script.py"), len(self.facts.events)),
            "path": {},
            "chain": (),
            "caught": frozenset(),
            "expected": frozenset(),
            "versions": self.facts.versions,
            "context": "",
            "guarded": False,
        }
        span = Span("a.py", before, before + len(written.encode()))
        self.facts.events.append(ApiUse(**{**event, **parts}, span=span, name=name, how=how))
        return self

    def found(self) -> list[Diagnostic]:
        return list(RULE.check(self.facts))

    def fixed(self) -> str:
        """The text with the edits of the only finding."""
        (diagnostic,) = self.found()
        assert diagnostic.fix is not None
        data = self.text.encode()
        for edit in diagnostic.fix.edits:
            data = data[: edit.span.start] + edit.content.encode() + data[edit.span.end :]
        return data.decode()


def test_name_that_never_existed() -> None:
    (found,) = (
        Script('torch._inductor.aot_load("m")', "2.13")
        .use("torch._inductor.aot_load", "torch._inductor.aot_load")
        .found()
    )
    assert (found.severity, found.confidence, found.outcome) == (Severity.ERROR, Confidence.CERTAIN, Outcome.RAISES)
    assert found.message == "no torch from 2.4 to 2.15 has `torch._inductor.aot_load`"
    assert found.label == "not there"
    assert "torch._inductor.aoti_load_package(path)" in found.help
    assert "torch._export.aot_load(path, device)" in found.help
    assert found.versions == ()
    assert found.fix is None


@pytest.mark.parametrize(
    ("target", "severity", "versions", "label"),
    [
        ("2.13", Severity.ERROR, (), "not there"),
        ("2.11..2.15", Severity.ERROR, (), "not there"),
        ("2.10..2.12", Severity.WARNING, ("2.11–2.12",), "not in torch 2.11-2.12"),
    ],
)
def test_removed_name(target: str, severity: Severity, versions: tuple[str, ...], label: str) -> None:
    script = Script("from torch.export import export_for_training\n", target)
    (found,) = script.use("export_for_training", "torch.export.export_for_training", "import").found()
    assert (found.severity, found.versions, found.label) == (severity, versions, label)
    assert found.message == "`torch.export.export_for_training` was removed in torch 2.11"
    assert found.outcome is Outcome.RAISES_AT_IMPORT


def test_name_that_came_later() -> None:
    script = Script("torch.export.draft_export(m, x)", "2.6..2.9")
    (found,) = script.use("torch.export.draft_export", "torch.export.draft_export").found()
    assert found.message == "`torch.export.draft_export` is new in torch 2.8"
    assert found.versions == ("2.6–2.7",)
    assert found.severity is Severity.WARNING


def test_name_that_came_and_went() -> None:
    script = Script("torch.export.export_for_inference(m, x)", "2.4..2.15")
    (found,) = script.use("torch.export.export_for_inference", "torch.export.export_for_inference").found()
    assert found.message == "`torch.export.export_for_inference` exists only in torch 2.6-2.7"
    assert found.versions == ("2.4–2.5, 2.8–2.15",)


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("torch.export.export_for_training", "2.5..2.10"),
        ("torch.export.draft_export", "2.8.."),
        ("torch.export.Dim.AUTO", "2.5.."),
        ("torch.nn.Linear", "2.13"),
        ("torch._inductor.config.no_such_key", "2.13"),
        ("torch.export.export.anything", "2.13"),
    ],
)
def test_silent_where_the_name_is_there_or_cannot_be_known(name: str, target: str) -> None:
    assert Script(name, target).use(name, name).found() == []


def test_silent_where_the_absence_is_handled() -> None:
    name = "torch.export.export_for_training"
    assert Script(name, "2.13").use(name, name, guarded=True).found() == []


def test_only_the_versions_the_code_runs_in_count() -> None:
    name = "torch.export.draft_export"
    script = Script(name, "2.4..2.15").use(name, name, versions=VersionSet.parse("2.8..2.15"))
    assert script.found() == []
    (found,) = script.use(name, name, versions=VersionSet.parse("2.6..2.9")).found()
    assert found.versions == ("2.6–2.7",)


def test_ways_to_one_place_are_one_finding() -> None:
    name = "torch.export.export_for_inference"
    script = Script(name, "2.4..2.15")
    script.use(name, name, versions=VersionSet.parse("2.4..2.6"), path=UNKNOWN)
    script.use(name, name, versions=VersionSet.parse("2.7..2.9"))
    (found,) = script.found()
    assert found.versions == ("2.4–2.5, 2.8–2.9",)
    assert found.confidence is Confidence.LIKELY


@pytest.mark.parametrize(
    ("target", "confidence", "severity"),
    [
        ("2.13", Confidence.LIKELY, Severity.WARNING),
        ("2.10..2.13", Confidence.POSSIBLE, Severity.INFO),
    ],
)
def test_behind_an_unknown_condition_it_is_less_sure(target: str, confidence: Confidence, severity: Severity) -> None:
    name = "torch.export.export_for_training"
    (found,) = Script(name, target).use(name, name, path=UNKNOWN).found()
    assert (found.confidence, found.severity) == (confidence, severity)


def test_import_of_a_missing_module_stands_for_its_uses() -> None:
    module = "torch.ao.quantization.quantize_pt2e"
    script = Script(f"import {module}\n{module}.prepare_pt2e(m)\nfrom {module} import convert_pt2e\n", "2.13")
    script.use(module, module, "import")
    script.use(module, module, nth=1)
    script.use(f"{module}.prepare_pt2e", f"{module}.prepare_pt2e")
    script.use(f"from {module} import convert_pt2e", module, "import")
    script.use("convert_pt2e", f"{module}.convert_pt2e", "import")
    assert [found.span.start for found in script.found()] == [7, script.text.index("from")]


def test_first_missing_part_of_a_chain_is_reported() -> None:
    chain = "torch.export.pt2_archive._package.load_pt2"
    script = Script(chain, "2.7")
    for name in (chain, "torch.export.pt2_archive._package", "torch.export.pt2_archive"):
        script.use(name, name)
    (found,) = script.found()
    assert found.span == Span("a.py", 0, len("torch.export.pt2_archive"))
    assert found.message == "`torch.export.pt2_archive` is new in torch 2.8"


def test_imported_function_does_not_hide_another_way_to_it() -> None:
    name = "torch.export.export_for_training"
    script = Script(f"from torch.export import export_for_training\n{name}(m, x)\n", "2.13")
    script.use("export_for_training", name, "import").use(name, name)
    assert len(script.found()) == 2


@pytest.mark.parametrize(
    ("text", "written", "how", "fixed"),
    [
        ("torch.export.export_for_training(m, x)", "torch.export.export_for_training", "attribute",
         "torch.export.export(m, x)"),
        ("é = te.export_for_training(m, x)", "te.export_for_training", "attribute", "é = te.export(m, x)"),
        ("from torch.export import Dim, export_for_training", "export_for_training", "import",
         "from torch.export import Dim, export as export_for_training"),
        ("from torch.export import export_for_training as e", "export_for_training as e", "import",
         "from torch.export import export as e"),
    ],
)  # fmt: skip
def test_rename_in_place(text: str, written: str, how: str, fixed: str) -> None:
    script = Script(text, "2.9..2.15").use(written, "torch.export.export_for_training", how)
    assert script.fixed() == fixed
    fix = script.found()[0].fix
    assert fix is not None
    assert fix.applicability is Applicability.SAFE
    assert fix.title == "use `torch.export.export`"


def test_rename_that_may_change_the_meaning_is_unsafe() -> None:
    script = Script("torch.export.export_for_training(m)", "2.4..2.15")
    (found,) = script.use("torch.export.export_for_training", "torch.export.export_for_training").found()
    assert found.fix is not None
    assert found.fix.applicability is Applicability.UNSAFE


def test_rename_into_another_module_needs_the_whole_name() -> None:
    script = Script("torch._export.save(ep, f)", "2.13").use("torch._export.save", "torch._export.save")
    assert script.fixed() == "torch.export.save(ep, f)"
    script = Script("from torch._export import save", "2.13").use("save", "torch._export.save", "import")
    assert script.found()[0].fix is None
    script = Script("old.save(ep, f)", "2.13").use("old.save", "torch._export.save")
    assert script.found()[0].fix is None


@pytest.mark.parametrize("target", ["2.10..2.13", "2.13"])
def test_rename_only_where_all_versions_have_the_new_name(target: str) -> None:
    name = "torch.fx.experimental.symbolic_shapes.hint_int"
    (found,) = Script(name, target).use(name, name).found()
    assert (found.fix is not None) == (target == "2.13")


@pytest.mark.parametrize(
    ("name", "help_"),
    [
        ("torch._inductor.aoti_load", "did you mean `torch._inductor.aoti_load_package`?"),
        ("torch._inductor.load_package", "there is `torch._inductor.package.load_package`"),
        ("torch.export.register_fake", "there is `torch.library.register_fake`"),
        ("torch.export.Dim.DYNAMC", "did you mean `torch.export.Dim.DYNAMIC`?"),
        ("torch.export.nothing_like_it", ""),
    ],
)
def test_guessed_names_get_the_nearest(name: str, help_: str) -> None:
    (found,) = Script(name, "2.8..2.13").use(name, name).found()
    assert found.help == help_


def test_new_name_without_a_judgement() -> None:
    name = "torch.library.get_kernel"
    (found,) = Script(name, "2.8..2.13").use(name, name).found()
    assert found.help == "require torch>=2.9, or ask `hasattr` before"


def lint(folder: Path, text: str, target: str) -> list[tuple[int, str]]:
    folder.joinpath("script.py").write_text(text)
    options = Options([str(folder)], Config(), select=["AOTI202"], cache=False, torch_version=target)
    return [(d["location"]["row"], d["severity"]) for d in check(options).document["diagnostics"]]


def test_script(tmp_path: Path) -> None:
    text = (
        "import torch\n"
        "import torch.ao.quantization.quantize_pt2e as q\n"
        "from torch.export import Dim, export_for_training as export\n"
        "program = export(torch.nn.Linear(2, 2), (torch.randn(1, 2),))\n"
        "q.prepare_pt2e(program.module(), None)\n"
        "te = torch.export\n"
        "te.export_for_inference\n"
        "torch._inductor.aot_load('model.so', 'cpu')\n"
    )
    assert lint(tmp_path, text, "2.13") == [(2, "error"), (3, "error"), (7, "error"), (8, "error")]
    assert lint(tmp_path, text, "2.7") == [(8, "error")]
    assert lint(tmp_path, text, "2.7..2.8") == [(7, "warning"), (8, "error")]


@pytest.mark.parametrize(
    "text",
    [
        "try:\n    from torch.export import export_for_training\nexcept ImportError:\n    export_for_training = None\n",
        "if hasattr(torch.export, 'draft_export'):\n    torch.export.draft_export\n",
        "if torch.__version__ < '2.7':\n    torch._export.capture_pre_autograd_graph\n",
        "find = getattr(torch._inductor, 'aot_load', None)\n",
        "# torch._inductor.aot_load\nname = 'torch._inductor.aot_load'\n",
        "class Dim:\n    AUTO = 1\n\nDim.AUTO\nDim.NOTHING\n",
        "def f(torch):\n    torch._inductor.aot_load\n",
    ],
)
def test_scripts_that_are_right_everywhere(tmp_path: Path, text: str) -> None:
    assert lint(tmp_path, f"import torch\n{text}", "2.4..2.15") == []


def test_names_new_since_an_old_release_are_advice_where_no_version_is_stated() -> None:
    script = Script("import torch\ntorch.export.draft_export\ntorch.export.dynamic_dim\n", "2.4..2.15")
    script.use("torch.export.draft_export", "torch.export.draft_export")
    script.use("torch.export.dynamic_dim", "torch.export.dynamic_dim")
    assert {d.confidence for d in script.found()} == {Confidence.LIKELY}
    script.facts.versions_stated = False
    assert sorted(d.confidence.value for d in script.found()) == ["likely", "possible"]


def test_what_private_modules_lack_everywhere_is_doubtful_where_no_version_is_stated() -> None:
    private, guessed = "torch._inductor.no_such_helpers", "torch._inductor.aot_load"
    script = Script(f"import torch\n{private}\n{guessed}\n", "2.4..2.15")
    script.use(private, private)
    script.use(guessed, guessed)
    assert {d.confidence for d in script.found()} == {Confidence.CERTAIN}
    script.facts.versions_stated = False
    assert sorted(d.confidence.value for d in script.found()) == ["certain", "likely"]


@pytest.mark.parametrize(
    ("name", "minor", "confidence"),
    [
        ("torch._inductor.triton_heuristics", "2.4", Confidence.POSSIBLE),
        ("torch.onnx.symbolic_registry", "1.13", Confidence.LIKELY),
        ("torch._export.export", "2.3", Confidence.LIKELY),
    ],
)
def test_what_torch_removed_before_the_supported_releases(name: str, minor: str, confidence: Confidence) -> None:
    """Code that names it and no version is for that torch; what people still try has advice."""
    script = Script(f"import torch\n{name}\n", "2.4..2.15").use(name, name)
    (stated,) = script.found()
    assert (stated.confidence, stated.message) == (Confidence.CERTAIN, f"`{name}` was removed in torch {minor}")
    script.facts.versions_installed = True
    private = confidence is Confidence.POSSIBLE
    assert [d.confidence for d in script.found()] == [confidence if private else Confidence.CERTAIN]
    script.facts.versions_stated = False
    assert [d.confidence for d in script.found()] == [confidence]


def test_what_a_module_that_torch_removed_never_had_is_doubtful_where_no_version_is_stated() -> None:
    name = "torch.ao.quantization.quantizer.NoSuchQuantizer"
    script = Script(f"import torch\n{name}\n", "2.4..2.15").use(name, name)
    assert [d.confidence for d in script.found()] == [Confidence.CERTAIN]
    script.facts.versions_stated = False
    assert [d.confidence for d in script.found()] == [Confidence.LIKELY]


def test_a_tree_that_holds_torch_says_itself_what_torch_has(tmp_path: Path) -> None:
    script = (
        "import torch\nimport torch._inductor.config as config\nconfig.no_such_setting = 1\n"
        "torch.export.no_such_name\ntorch.export.export(torch.nn.ReLU(), (torch.ones(2),), constraints=[])\n"
        "torch.onnx.export(torch.nn.ReLU(), (torch.ones(2),), 'a.onnx', opset_version=9)\n"
    )
    for name in ("test/test_it.py", "torch/__init__.py", "torch/nn/__init__.py", "torch/nn/functional.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(script if "test" in name else "", encoding="utf-8")

    def found() -> set[str]:
        options = Options([str(tmp_path)], Config(), cache=False, torch_version="2.13")
        return {one["code"] for one in check(options).document["diagnostics"]}

    assert found() == set()
    (tmp_path / "torch/nn/functional.py").unlink()
    assert found() == {"AOTI202", "AOTI203", "AOTI233", "AOTI510"}
