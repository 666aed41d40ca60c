"""A file of settings whose path is what the user chooses: it is read where the default says."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.coverage.line import Line
from aoti_lint.diagnostics import Confidence, Diagnostic
from aoti_lint.rule import Facts
from rules.shapes.size_outside_dim import SizeOutsideDim
from tests.analysing import facts_of

SETTINGS = "max_batch: 8\nbatch: %s\nbatches: [4, %s]\n"
MODEL = """\
import argparse, json, os, sys
from dataclasses import dataclass
from pathlib import Path
import click, fire, torch, typer, tyro, yaml

class M(torch.nn.Module):
    def forward(self, x):
        return x * 2

def use(most, batches):
    dims = {"x": {0: torch.export.Dim("b", max=most)}}
    program = torch.export.export(M(), (torch.randn(2, 8),), dynamic_shapes=dims)
    for batch in batches:
        program.module()(torch.randn(batch, 8))

"""
PARSED = """\
parser = argparse.ArgumentParser()
parser.add_argument("--config", {}default="a.yaml")
args = parser.parse_args()
"""
PLAIN = PARSED.format("")
USED = 'use(cfg["max_batch"], [cfg["batch"]])\n'
READERS = {
    "option": PLAIN + "cfg = yaml.safe_load(open(args.config))\n" + USED,
    "with": PLAIN + "with open(args.config) as f:\n    cfg = yaml.safe_load(f)\n" + USED,
    "Path": PLAIN + "cfg = yaml.safe_load(Path(args.config).read_text())\n" + USED,
    "type=Path": PARSED.format("type=Path, ") + "cfg = yaml.safe_load(args.config.open())\n" + USED,
    "FileType": PARSED.format("type=argparse.FileType(), ") + "cfg = yaml.safe_load(args.config)\n" + USED,
    "a list": PLAIN + 'cfg = yaml.safe_load(open(args.config))\nuse(cfg["max_batch"], cfg["batches"])\n',
    "beside the script": PLAIN + "cfg = yaml.safe_load((Path(__file__).parent / args.config).read_text())\n" + USED,
    "part of the name": PARSED.format("").replace("a.yaml", "a")
    + 'cfg = yaml.safe_load(open(f"{args.config}.yaml"))\n'
    + USED,
    "variable": 'cfg = yaml.safe_load(open(os.environ.get("CONF", "a.yaml")))\n' + USED,
    "variable or": 'cfg = yaml.safe_load(open(os.getenv("CONF") or "a.yaml"))\n' + USED,
    "sys.argv": 'cfg = yaml.safe_load(open(sys.argv[1] if len(sys.argv) > 1 else "a.yaml"))\n' + USED,
    "click": """\
@click.command()
@click.option("--config", default="a.yaml")
def main(config):
    cfg = yaml.safe_load(open(config))
    use(cfg["max_batch"], [cfg["batch"]])

main()
""",
    "click.File": """\
@click.command()
@click.option("--config", type=click.File(), default="a.yaml")
def main(config):
    cfg = yaml.safe_load(config)
    use(cfg["max_batch"], [cfg["batch"]])

main()
""",
    "typer": """\
def main(config: str = "a.yaml"):
    cfg = yaml.safe_load(open(config))
    use(cfg["max_batch"], [cfg["batch"]])

typer.run(main)
""",
    "tyro": """\
@dataclass
class Args:
    config: str = "a.yaml"

cfg = yaml.safe_load(open(tyro.cli(Args).config))
"""
    + USED,
    "never called": """\
def main(path="a.yaml"):
    cfg = yaml.safe_load(open(path))
    use(cfg["max_batch"], [cfg["batch"]])
""",
    "**": PLAIN
    + """\
@dataclass
class Config:
    max_batch: int
    batch: int
    batches: list

cfg = Config(**yaml.safe_load(open(args.config)))
use(cfg.max_batch, [cfg.batch])
""",
    "update": PLAIN + 'cfg = {"batch": 1}\ncfg.update(yaml.safe_load(open(args.config)))\n' + USED,
    "merged": PLAIN + 'cfg = {"batch": 1, **yaml.safe_load(open(args.config))}\n' + USED,
}
CALLED = 'def main(path="a.yaml"):\n    cfg = yaml.safe_load(open(path))\n    ' + USED + "\nmain()\n"


def found(facts: Facts) -> list[Diagnostic]:
    return list(SizeOutsideDim().check(facts))


@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
def test_the_file_at_the_default_is_read(reader: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (one,) = found(facts_of(tmp_path, monkeypatch, a=MODEL + reader, a_yaml=SETTINGS % (16, 16)))
    assert one.confidence == Confidence.LIKELY


@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
def test_a_file_that_fits_is_no_finding(reader: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(facts_of(tmp_path, monkeypatch, a=MODEL + reader, a_yaml=SETTINGS % (8, 8))) == []


@pytest.mark.parametrize(
    ("reader", "doubt"),
    [
        ("option", "if option --config is 'a.yaml' and batch of a.yaml is 16"),
        ("beside the script", "if option --config is 'a.yaml' and batch of a.yaml is 16"),
        ("variable", "if the environment variable CONF is 'a.yaml' and batch of a.yaml is 16"),
        ("never called", "if the parameter path of main is 'a.yaml' and batch of a.yaml is 16"),
    ],
)
def test_it_is_said_that_the_default_is_kept(
    reader: str, doubt: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (one,) = found(facts_of(tmp_path, monkeypatch, a=MODEL + READERS[reader], a_yaml=SETTINGS % (16, 16)))
    assert one.doubt == doubt


def test_a_default_that_is_worked_out_keeps_its_value(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    default = 'default=str(Path(__file__).parent / "a.yaml")'
    script = MODEL + READERS["option"].replace('default="a.yaml"', default)
    (one,) = found(facts_of(tmp_path, monkeypatch, a=script, a_yaml=SETTINGS % (16, 16)))
    assert one.doubt == "if option --config keeps its value and batch of a.yaml is 16"


def test_an_argument_that_is_never_given_is_no_condition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (one,) = found(facts_of(tmp_path, monkeypatch, a=MODEL + CALLED, a_yaml=SETTINGS % (16, 16)))
    assert one.doubt == "if batch of a.yaml is 16 and max_batch of a.yaml is 8"


DECIDED = 'use(cfg.get("most", 8), [16])\n'


@pytest.mark.parametrize(
    ("read", "confidence"),
    [
        ('cfg = yaml.safe_load(open("a.yaml"))\n', Confidence.CERTAIN),
        (PLAIN + "cfg = yaml.safe_load(open(args.config))\n", Confidence.LIKELY),
    ],
)
def test_what_is_not_in_the_file_may_be_in_another(
    read: str, confidence: Confidence, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (one,) = found(facts_of(tmp_path, monkeypatch, a=MODEL + read + DECIDED, a_yaml=SETTINGS % (16, 16)))
    assert one.confidence == confidence


OTHER_BRANCH = (
    PLAIN
    + """\
if args.config != "a.yaml":
    cfg = yaml.safe_load(open(args.config))
    use(cfg["max_batch"], [cfg["batch"]])
"""
)
GIVEN = (
    PLAIN.replace("parse_args()", 'parse_args(["--config", "b.yaml"])')
    + "cfg = yaml.safe_load(open(args.config))\n"
    + USED
)
SET = 'os.environ["CONF"] = "b.yaml"\n' + READERS["variable"]


@pytest.mark.parametrize("script", [OTHER_BRANCH, GIVEN, SET])
def test_where_another_file_is_surely_named_the_default_is_not_read(
    script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"a_yaml": SETTINGS % (16, 16), "b_yaml": SETTINGS % (8, 8)}
    assert found(facts_of(tmp_path, monkeypatch, a=MODEL + script, **files)) == []


def test_a_file_that_is_missing_is_named_on_the_line_it_is_asked_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = facts_of(tmp_path, monkeypatch, a=MODEL + READERS["option"])
    assert not facts.unread, "nobody knows that the default is meant to be there"
    assert "a.yaml is neither beside the script nor in the root of the project" in {s.reason for s in facts.silences}


@pytest.mark.parametrize(
    ("part", "why"),
    [
        ('cfg["a"]', "an item of cfg (what lies on the disk)"),
        ('cfg["a"]["b"]', "an item of cfg (what lies on the disk)"),
        ("cfg.a.b", "the attribute a of cfg (what lies on the disk)"),
        ('names.cfg["a"]', "an item of names.cfg (what lies on the disk)"),
        ('load()["a"]', "an item of an unknown value (what lies on the disk)"),
    ],
)
def test_what_is_taken_from_an_unknown_is_named(
    part: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = f"""\
import torch, yaml
from types import SimpleNamespace

def load():
    return yaml.safe_load(open(input()))

cfg = load()
names = SimpleNamespace(cfg=cfg)
torch.export.export(torch.nn.ReLU(), (torch.randn({part}, 8),))
"""
    facts = facts_of(tmp_path, monkeypatch, a=script)
    assert why in "\n".join(Line(facts, "a.py", 9, str).text())
