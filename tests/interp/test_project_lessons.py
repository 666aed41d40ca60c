"""What projects in the idioms of real repositories taught: layers of a project's own, options, settings files."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from aoti_lint.catalogue.registry import load
from aoti_lint.linking.analysis import analyse
from aoti_lint.machine.facts import Facts
from aoti_lint.source.interest import Interest
from aoti_lint.source.project import Project
from aoti_lint.torch_api.versions import VersionSet
from aoti_lint.values.judge import expand
from aoti_lint.values.values import Choice, Const, Sym, Unknown
from tests.interp.snippets import run


def facts_of(folder: Path, monkeypatch: pytest.MonkeyPatch, **files: str) -> Facts:
    """The analysis of a project, in which a fault of the interpreter is not forgiven; `a_yaml` is the file a.yaml."""
    monkeypatch.setenv("AOTI_LINT_DEBUG", "1")
    scripts = []
    for name, text in files.items():
        path = folder / (name.replace("_yaml", ".yaml") if name.endswith("_yaml") else f"{name}.py")
        path.write_text(dedent(text), encoding="utf-8")
        scripts += [path.name] if path.suffix == ".py" else []
    return analyse(Project(folder, scripts), VersionSet.parse("2.13"))


def codes(facts: Facts) -> list[str]:
    return sorted({d.code for rule in load().by_code.values() for d in rule.check(facts)})


BLOCK = """
    import torch
    from torch import nn

    class Block(nn.Sequential):
        def __init__(self, width, p):
            super().__init__(nn.Linear(width, width), {layer})

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.blocks = nn.Sequential(*(Block(w, 0.5) for w in (8, 8)))

        def forward(self, x):
            return self.blocks(x).sum(-1)

    program = torch.export.export({model}, (torch.randn(4, 8),))
    torch.export.save(program, "net.pt2")
"""


@pytest.mark.parametrize(
    ("layer", "model", "expected"),
    [
        ("nn.Dropout(p)", "Net()", ["AOTI701"]),
        ("nn.Dropout(p)", "Net().eval()", []),
        ("nn.Dropout(0.0)", "Net()", []),
        ("nn.Dropout(p)", "Block(8, 0.5)", ["AOTI701"]),
        ("nn.ReLU()", "Block(8, 0.5)", []),
    ],
)
def test_a_class_over_a_sequence_runs_its_layers(
    layer: str, model: str, expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert codes(facts_of(tmp_path, monkeypatch, a=BLOCK.format(layer=layer, model=model))) == expected


def test_a_class_over_a_layer_that_has_a_forward_of_its_own_runs_that() -> None:
    ran = run("""
import torch
class Kept(torch.nn.Dropout):
    def forward(self, x):
        return 7
class Plain(torch.nn.Flatten):
    pass
kept = Kept()(torch.randn(2, 3))
plain = Plain()(torch.randn(2, 3))
""")
    assert ran.python("kept") == 7
    assert not isinstance(ran.value("plain"), Unknown)


def test_a_class_over_a_layer_gives_its_sizes() -> None:
    ran = run("""
import torch
class Head(torch.nn.Linear):
    def __init__(self, classes):
        super().__init__(8, classes)
shape = Head(3)(torch.randn(2, 5, 8)).shape
""")
    assert ran.python("shape") == (2, 5, 3)


def test_layers_that_are_not_all_known_change_the_shape() -> None:
    ran = run("""
import torch
from elsewhere import layers
net = torch.nn.Sequential(*layers)
shape = net(torch.randn(2, 3)).shape
""")
    assert ran.python("shape") != (2, 3)


OPTION = """
import argparse
p = argparse.ArgumentParser()
p.add_argument("--rows", type=int, default=6)
rows = p.parse_args().rows
"""


@pytest.mark.parametrize(
    ("text", "usual"),
    [("2 * rows", 12), ("rows // 4", 1), ("rows - 2 * rows", -6), ("rows / 4", 1.5), ("rows % 4", 2)],
)
def test_what_is_worked_out_of_an_option_has_a_default(text: str, usual: float) -> None:
    value = run(f"{OPTION}value = {text}\n").value("value")
    assert isinstance(value, Sym)
    assert value.default == Const(usual)
    expanded = expand(value)
    assert isinstance(expanded, Choice)
    assert isinstance(expanded.other, Unknown)


def test_arithmetic_on_an_option_over_and_over_stays_short() -> None:
    value = run(f"{OPTION}a = b = rows\nfor _ in range(30):\n    a, b = a + b, b - a\n").value("a")
    assert len(repr(value)) < 1000


@pytest.mark.parametrize("text", ["rows // 0", "rows * unknown", "rows ** 2", "rows * 10**12"])
def test_what_cannot_be_worked_out_is_unknown(text: str) -> None:
    assert isinstance(run(f"from elsewhere import unknown\n{OPTION}value = {text}\n").value("value"), Unknown)


@pytest.mark.parametrize(
    "made",
    ['load().to("cuda")', "load().cuda()", 'torch.load("a.pt", map_location="cuda")', 'load(map="cpu").to("cuda")'],
)
def test_what_was_moved_may_be_a_model(made: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"""
        import torch
        from elsewhere import load

        model = {made}
        model.eval()
        program = torch.export.export(model, (torch.randn(2, 3, device="cuda"),))
        torch._inductor.aoti_compile_and_package(program)
    """
    assert codes(facts_of(tmp_path, monkeypatch, a=text)) == []


def test_the_same_arithmetic_of_an_option_is_the_same_value() -> None:
    ran = run(f"{OPTION}same = (2 * rows) == (2 * rows)\nother = (2 * rows) == (3 * rows)\n")
    assert ran.python("same") is True
    assert ran.python("other") is not True


SETTINGS = """
    device: cuda
    model: {width: 8, sizes: [4, 16]}
    1: one
"""
READ = """
    from pathlib import Path
    import torch, yaml

    def attributes(value):
        if isinstance(value, dict):
            return {str(k): attributes(v) for k, v in value.items()}
        if isinstance(value, list):
            return [attributes(v) for v in value]
        return value

    with open(Path(__file__).parent / "a.yaml") as stream:
        cfg = attributes(yaml.safe_load(stream))
    model = torch.nn.Linear(cfg["model"]["width"], 2).to(cfg["device"]).eval()
    x = torch.randn(cfg["model"]["sizes"][0], 8, device=%s)
    torch.export.export(model, (x,))
"""


@pytest.mark.parametrize(("device", "expected"), [('"cpu"', ["AOTI103"]), ('"cuda"', []), ('cfg["device"]', [])])
def test_yaml_settings_are_walked_through(
    device: str, expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = facts_of(tmp_path, monkeypatch, a_yaml=SETTINGS, a=READ % device)
    assert codes(facts) == expected


@pytest.mark.parametrize(
    "text", ["a: [", "!!python/object:os.system {}", "- 1\n---\n- 2\n", "device: &a [*a]\n", "2026-01-01: 1\n"]
)
def test_yaml_that_is_not_plain_is_unknown(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert codes(facts_of(tmp_path, monkeypatch, a_yaml=text, a=READ % '"cpu"')) == []


def test_a_member_of_an_int_enum_is_the_bound_of_a_dim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = """
        import torch
        from enum import IntEnum

        class Rows(IntEnum):
            FEW = 4
            MANY = 64

        torch.export.Dim("rows", min=Rows.{low}, max=Rows.{high})
    """
    assert codes(facts_of(tmp_path, monkeypatch, a=text.format(low="MANY", high="FEW"))) == ["AOTI309"]
    assert codes(facts_of(tmp_path, monkeypatch, b=text.format(low="FEW", high="MANY"))) == []


def test_a_function_that_calls_itself_on_unknowns_comes_to_an_end() -> None:
    ran = run("""
from elsewhere import thing
def walk(x):
    return walk(x.left) or walk(x.right)
made = walk(thing)
""")
    assert all(isinstance(one, Unknown) for one in ran.arms("made"))


def test_a_class_leads_where_its_base_leads() -> None:
    files = {
        "base.py": "import torch\nclass Base:\n    def go(self):\n        return torch.export.export(self, ())\n",
        "middle.py": "from base import Base\nclass Middle(Base):\n    pass\nclass Other:\n    pass\n",
        "user.py": "from middle import Middle\nMiddle().go()\n",
        "other.py": "from middle import Other\nOther().go()\n",
    }

    def resolve(dotted: str, level: int, importer: str) -> str | None:
        return f"{dotted}.py" if f"{dotted}.py" in files else None

    interest = Interest(files.get, resolve)
    assert interest.interesting("user.py")
    assert not interest.interesting("other.py")
