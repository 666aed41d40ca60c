"""What the rules are told of files of programs, packages and checkpoints, and of scripted modules."""

from __future__ import annotations

import pytest

from aoti_lint.values.events.api import ApiCall
from aoti_lint.values.events.packages import CallEvent, FileEvent, LoadEvent, PackEvent
from aoti_lint.values.torch_values import Loaded, LoadedProgram, Package
from aoti_lint.values.values import NONE, Const, Pairs, Unknown
from tests.snippets import run, told

HEAD = (
    "import torch\nfrom torch._inductor.package import load_package, package_aoti\n"
    "ep = torch.export.export(torch.nn.Linear(1, 2), (torch.ones(1),))\n"
    "files = torch._inductor.aot_compile(ep.module(), (torch.ones(1),))\n"
)


def test_the_models_of_a_package_are_told() -> None:
    ran = run(HEAD + "package_aoti('m.pt2', {'a': files})\npackage_aoti('n.pt2', files)\n")
    several, one = told(ran, PackEvent)
    assert isinstance(several.models, Pairs)
    assert [key for key, _ in several.models.pairs] == [Const("a")]
    assert several.file.key == ("m.pt2",)
    assert isinstance(one.models, Package)


def test_an_archive_of_programs_and_models() -> None:
    text = "from torch.export.pt2_archive._package import package_pt2\n"
    ran = run(HEAD + text + "package_pt2('m.pt2', exported_programs={'a': ep})\npackage_pt2('m.pt2', **unknown)\n")
    without, unknown = told(ran, PackEvent)
    assert without.models == NONE
    assert isinstance(unknown.models, Unknown)


@pytest.mark.parametrize(
    ("load", "asked"),
    [
        ("load_package('m.pt2', 'a')", Const("a")),
        ("load_package('m.pt2')", Const("model")),
        ("load_package('m.pt2', 'cpu')", Const("cpu")),
        ("torch._inductor.aoti_load_package('m.pt2')", Const("model")),
        ("torch._export.aot_load('m.so', 'cpu')", None),
    ],
)
def test_the_model_a_loader_asks_for(load: str, asked: Const | None) -> None:
    (event,) = told(run(HEAD + load + "\n"), LoadEvent)
    assert isinstance(event.loaded, Loaded)
    assert event.loaded.model == asked


def test_a_model_in_a_package_of_several_is_no_library_any_more() -> None:
    ran = run(HEAD + "package_aoti('m.pt2', {'a': files})\nload_package('m.pt2', 'a')\n")
    (event,) = told(ran, LoadEvent)
    assert isinstance(event.loaded, Loaded)
    assert isinstance(event.loaded.package, Package)
    assert event.loaded.package.kind == "pt2"


def test_checkpoints_are_read_and_written() -> None:
    ran = run("import torch\ntorch.save({}, 'a.pt')\ntorch.load('a.pt')\ntorch.jit.load('b.pt').save('c.pt')\n")
    assert [(event.api, event.file.key[-1]) for event in told(ran, FileEvent)] == [
        ("torch.save", "a.pt"),
        ("torch.load", "a.pt"),
        ("torch.jit.load", "b.pt"),
        ("torch.jit.save", "c.pt"),
    ]


@pytest.mark.parametrize(
    ("made", "kind"),
    [
        ("torch.jit.script(torch.nn.Linear(1, 2))", "Module"),
        ("torch.jit.trace(torch.nn.Linear(1, 2), torch.ones(1))", "Module"),
        ("torch.jit.load('m.pt').eval()", "Module"),
        ("torch.jit.script(lambda x: x)", "torch.jit.ScriptFunction"),
        ("torch.jit.script(unknown)", "Unknown"),
    ],
)
def test_scripted_modules_and_functions(made: str, kind: str) -> None:
    (call,) = [c for c in told(run(f"import torch\ntorch.export.export({made}, ())\n"), ApiCall) if "export" in c.name]
    assert call.tag(call.args[0]) == kind


def test_a_program_out_of_a_file_can_be_called_by_mistake() -> None:
    (event,) = told(run("import torch\ntorch.export.load('p.pt2')(1)\n"), CallEvent)
    assert isinstance(event.target, LoadedProgram)


def test_kinds_of_what_a_dict_holds() -> None:
    text = "from torch.export.pt2_archive._package import package_pt2\n"
    ran = run("import torch\n" + text + "package_pt2('m', exported_programs={'a': torch.nn.Linear(1, 2)})\n")
    call = told(ran, ApiCall)[-1]
    given = call.arg(None, "exported_programs")
    assert isinstance(given, Pairs)
    assert call.tag(given.pairs[0][1]) == "Module"
