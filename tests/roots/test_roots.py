"""Functions that nobody calls, and what their names being used depends on."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from aoti_lint.config import Config
from aoti_lint.engine.check import check
from aoti_lint.ir.lower import lower
from aoti_lint.linking.analysis import analyse
from aoti_lint.options import Options
from aoti_lint.roots.call_order import functions_of, in_order
from aoti_lint.source.project import Project
from aoti_lint.torch_api.versions import VersionSet
from aoti_lint.values.events.api import ApiUse

MISSING = "    torch._inductor.aot_load('a', 'cpu')\n"
HEADER = "import torch\nfrom packaging import version\nRELEASE = version.parse(str(torch.__version__))\n"
OLD = "if RELEASE < version.parse('2.9'):\n"


def used_on(folder: Path, text: str, versions: str = "2.13") -> list[str]:
    """The targets under which a name that no torch has is used, one for each place."""
    (folder / "a.py").write_text(HEADER + text, encoding="utf-8")
    facts = analyse(Project(folder, ["a.py"]), VersionSet.parse(versions))
    return sorted(str(versions) for _, versions in {(event.span, event.versions) for event in facts.of(ApiUse)})


@pytest.mark.parametrize(
    "text",
    [
        f"def f():\n{MISSING}{OLD}    Base.f = f\n",
        f"def f():\n{MISSING}def g():\n    Base.f = f\n{OLD}    Base.g = g\n",
        f"def g():\n    Base.f = f\ndef f():\n{MISSING}{OLD}    Base.g = g\n",
        f"def f():\n{MISSING}def g():\n    {OLD}        Base.f = f\n",
        f"def f():\n{MISSING}TABLE = dict(f=f) if RELEASE < version.parse('2.9') else {{}}\n",
    ],
    ids=["patch", "patch of a patch", "the other way around", "inside", "expression"],
)
def test_what_is_used_in_other_releases_only(tmp_path: Path, text: str) -> None:
    assert used_on(tmp_path, text) == []
    assert used_on(tmp_path, text, "2.8") == ["2.8"]
    assert used_on(tmp_path, text, "2.8..2.13") == ["2.8"]


@pytest.mark.parametrize(
    "text",
    [
        f"def f():\n{MISSING}",
        f"def f():\n{MISSING}Base.f = f\n",
        f"def f():\n{MISSING}{OLD}    Base.f = f\nelse:\n    Base.f = f\n",
        f"def f(n):\n{MISSING}    return g(n)\ndef g(n):\n    return f(n)\n",
        f"def f():\n{MISSING}{OLD}    Base.f = other.f\n",
        f"def f():\n{MISSING}def g():\n    'What f does.'\n    # f\n    Base.f = other.f\ng()\n",
        f"@register\ndef f():\n{MISSING}{OLD}    Base.f = f\n",
        f"class C:\n    def f(self):\n    {MISSING}{OLD}    Base.f = f\n",
    ],
    ids=["alone", "read", "in both", "each other", "attribute", "only spoken of", "decorated", "method"],
)
def test_what_is_used_whatever_the_release(tmp_path: Path, text: str) -> None:
    assert used_on(tmp_path, text) == ["2.13"]


def test_patch_releases_are_not_told_apart(tmp_path: Path) -> None:
    text = f"if RELEASE < version.parse('2.13.1'):\n{MISSING}if RELEASE < version.parse('2.12.1'):\n{MISSING}"
    assert used_on(tmp_path, text) == ["2.13"]


def test_long_chains_of_elif(tmp_path: Path) -> None:
    chain = "".join(f"elif x == {i}:\n    pass\n" for i in range(1200))
    text = f"import sys\nx = len(sys.argv)\nif x:\n    pass\n{chain}else:\n    def g():\n    {MISSING}"
    assert used_on(tmp_path, f"{text}def f():\n{MISSING}") == ["2.13", "2.13"]


def test_asserted_release(tmp_path: Path) -> None:
    asked = "    assert hasattr(torch._inductor, 'aot_load'), 'another torch'\n"
    assert used_on(tmp_path, f"def f():\n{asked}{MISSING}") == []
    assert used_on(tmp_path, f"def f():\n    assert 1 == 2\n{MISSING}") == ["2.13"]


def test_many_functions_that_name_each_other(tmp_path: Path) -> None:
    text = "".join(f"def f{i}():\n    f{(i + 1) % 300}()\n    return f{i * 7 % 300}\n" for i in range(300))
    assert used_on(tmp_path, f"{text}def g():\n{MISSING}TABLE = [g, f1]\n") == ["2.13"]


@pytest.mark.parametrize(("handling", "caught"), [("pytest.skip('no')", True), ("pytest.fail('no')", False)])
def test_a_missing_name_that_skips_the_test(tmp_path: Path, handling: str, caught: bool) -> None:
    text = f"import pytest\ndef test():\n    try:\n    {MISSING}    except AttributeError:\n        {handling}\n"
    (tmp_path / "a.py").write_text(HEADER + text, encoding="utf-8")
    facts = analyse(Project(tmp_path, ["a.py"]), VersionSet.parse("2.13"))
    assert [event.guarded for event in facts.of(ApiUse)] == [caught]


def test_what_only_builds_that_are_not_released_have(tmp_path: Path) -> None:
    condition = "if not hasattr(torch.version, 'git_version') or torch._inductor.config.is_fbcode():\n"
    assert used_on(tmp_path, condition + MISSING) == []


EXPORT = "torch.export.export(torch.nn.ReLU(), [torch.ones(2)])"
"""The examples are no tuple: AOTI214."""


def codes(folder: Path, **files: str) -> list[tuple[str, str]]:
    """File and code of all errors in these files, checked together."""
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    document = check(Options([str(folder)], Config(), cache=False, torch_version="2.13")).document
    return [(one["filename"].rpartition("/")[2], one["code"]) for one in document["diagnostics"]]


@pytest.mark.parametrize(
    "text",
    [
        f"class A:\n    def __init__(self):\n        {EXPORT}\n",
        f"class A:\n    def __init__(self):\n        {EXPORT}\n    def a(self):\n        torch.compile(len)\n",
        f"class A:\n    def a(self):\n        torch.compile(len)\n    def __init__(self):\n        {EXPORT}\n",
        f"class A:\n    def __init__(self):\n        self.make()\n    def make(self):\n        {EXPORT}\n"
        "    def a(self):\n        torch.compile(len)\n",
    ],
)
def test_what_a_constructor_does_is_told_whatever_else_the_class_has(tmp_path: Path, text: str) -> None:
    assert codes(tmp_path, a=f"import torch\n{text}") == [("a.py", "AOTI214")]


def test_what_a_forward_does_is_told_where_it_is_exported_too(tmp_path: Path) -> None:
    net = (
        "import torch\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
        "        run = torch._inductor.aoti_load_package('n.pt2', gadget=1)\n        return run(x)\n"
    )
    alone = codes(tmp_path, a=net)
    assert ("a.py", "AOTI203") in alone
    assert codes(tmp_path, a=f"{net}torch.export.export(Net(), (torch.ones(2),))\n") == alone


@pytest.mark.parametrize("name", ["a", "z"])
def test_what_a_module_uses_is_told_whoever_imports_it_first(tmp_path: Path, name: str) -> None:
    importer = f"import torch\ntry:\n    import gone\nexcept ImportError:\n    import {name}\ntorch.compile(len)\n"
    found = codes(tmp_path, m=importer, **{name: f"import torch\n{MISSING.strip()}\ntorch.export.gone\n"})
    assert (f"{name}.py", "AOTI202") in found


HELPER = f"import torch\ndef export(model, old):\n    if old:\n    {MISSING}"
USER = "import torch\nfrom {name} import export\ndef build(n):\n    return export(torch.nn.Linear(n, n), False)\n"


@pytest.mark.parametrize("name", ["a", "z"])
def test_what_a_function_does_is_told_whoever_calls_it(tmp_path: Path, name: str) -> None:
    """A function of another file that runs first, as its name sorts first, takes only one of the ways."""
    assert codes(tmp_path, m=USER.format(name=name), **{name: HELPER}) == [(f"{name}.py", "AOTI202")]


METHODS = [
    "    def __init__(self):\n        self.device = 'cpu'\n",
    "    def load(self):\n        self.model = torch._inductor.aoti_load_package('x.pt2')\n",
    "    def run(self):\n        self.last = self.model(torch.ones(2, device=self.device))\n",
    "    def start(self):\n        self.load()\n",
]


@pytest.mark.parametrize("order", [*itertools.permutations(range(4))])
def test_what_methods_leave_is_there_wherever_they_stand(tmp_path: Path, order: tuple[int, ...]) -> None:
    script = (
        "import torch\nprogram = torch.export.export(torch.nn.ReLU().cuda(), (torch.ones(2, device='cuda'),))\n"
        "torch._inductor.aoti_compile_and_package(program, package_path='x.pt2')\nclass Runner:\n"
    )
    assert codes(tmp_path, a=script + "".join(METHODS[i] for i in order)) == [("a.py", "AOTI102")]


def test_what_is_set_in_a_circle_is_set_in_the_order_of_the_text() -> None:
    text = "def a(s):\n    s.x = s.y\ndef b(s):\n    s.y = s.x\ndef c(s):\n    return s.x\ndef d(s):\n    s.z = 1\n"
    functions = [(one, owners) for one, owners in functions_of(lower(text, "a.py"))]
    assert [one.name for one, _ in in_order(functions, set())] == ["a", "b", "d", "c"]
    assert [one.name for one, _ in in_order(functions, {"a"})] == ["b", "d", "a", "c"]


@pytest.mark.parametrize(
    "body", ["        ...\n", "        '''What is exported.'''\n", "        '''What is exported.'''\n        ...\n"]
)
def test_what_others_have_to_define_gives_what_nobody_knows(tmp_path: Path, body: str) -> None:
    base = (
        "import abc, torch\nclass Base(abc.ABC):\n    @abc.abstractmethod\n    def model(self): pass\n"
        "    def inputs(self):\n{}    def run(self):\n        torch.export.export(self.model(), self.inputs())\n"
    )
    assert codes(tmp_path, a=base.format(body)) == []
    assert codes(tmp_path, a=base.format("        return None\n")) == [("a.py", "AOTI214")]


def test_a_member_of_an_enum_is_only_a_default(tmp_path: Path) -> None:
    """Whoever calls the function may give another."""
    text = (
        "import enum\nclass Mode(enum.Enum):\n    OLD = 1\n    NEW = 2\n"
        f"def load(mode=Mode.OLD):\n    if mode is Mode.NEW:\n    {MISSING}"
    )
    assert used_on(tmp_path, text) == ["2.13"]
