"""`aoti_lint.rule`: what rules are written with."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import aoti_lint.rule
from aoti_lint.catalogue.registry import Registry, load
from aoti_lint.catalogue.rule_docs import Example, read
from aoti_lint.config import Config
from aoti_lint.engine.check import check
from aoti_lint.errors import CannotRun
from aoti_lint.linking.analysis import analyse
from aoti_lint.options import Options
from aoti_lint.rule import Confidence, Diagnostic, Facts, Rule, VersionSet, events
from aoti_lint.rule.events import ApiCall, ExportEvent, LoadEvent
from aoti_lint.source.project import Project

ROOT = Path(__file__).resolve().parents[2]


class ResetInForward(Rule):
    """The forward of an exported model calls what does something beside it.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                torch._dynamo.reset()  # <- EX201
                return x.sin()

        torch._dynamo.reset()
        program = torch.export.export(Net(), (torch.randn(2, 8),))

    Bad:
        import torch

        def clean():
            torch._dynamo.reset()  # <- EX201

        class Layer(torch.nn.Module):
            def forward(self, x):
                for _ in range(3):
                    clean()
                torch.manual_seed(0)  # <- EX201
                print("seeded")  # <- EX201
                return x.sin()

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = Layer()

            def forward(self, x):
                return self.layer(x)

        program = torch.export.export(Net(), (torch.randn(2, 8),))

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x.sin()

        class Other(torch.nn.Module):
            def forward(self, x):
                torch._dynamo.reset()
                return x.sin()

        torch._dynamo.reset()
        program = torch.export.export(Net(), (torch.randn(2, 8),))
        Other()(torch.randn(2, 8))
        torch._dynamo.reset()
    """

    code = "EX201"
    name = "reset-in-forward"
    in_exports = True
    calls = ("torch._dynamo.reset", "torch.manual_seed", "print")

    def on_api_call(self, facts: Facts, event: ApiCall) -> Iterator[Diagnostic]:
        if event.name in self.calls and event.export is not None:
            yield self.found(facts, event, Confidence.CERTAIN, f"called in an exported forward, {event.export.path}")


class Watching(Rule):
    """Keeps what it is asked."""

    code = "EX202"
    name = "watching-events"
    asked: list[tuple[str, bool]]

    def on_export(self, facts: Facts, event: ExportEvent) -> Iterator[Diagnostic]:
        self.asked.append(("export", event.export is not None))
        return iter(())

    def on_api_call(self, facts: Facts, event: ApiCall) -> Iterator[Diagnostic]:
        self.asked.append((event.name, event.export is not None))
        return iter(())


def text_of(example: Example) -> str:
    (text,) = example.files.values()
    return text


def documents(rule: type[Rule], folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The document of a script that is checked with one rule alone."""
    registry = Registry()
    registry.add(rule, "the test")
    monkeypatch.setattr("aoti_lint.catalogue.registry.load", lambda *_: registry)
    monkeypatch.chdir(folder)
    (folder / "script.py").write_text(text, encoding="utf-8")
    return check(Options([str(folder)], Config(), cache=False, torch_version="2.13")).document


@pytest.mark.parametrize("kind", ["bad", "good"])
def test_what_happens_in_the_forward_of_an_export_is_told_to_rules_that_ask(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    examples = getattr(read(ResetInForward.__doc__ or ""), kind)
    assert examples
    for example in examples:
        text = text_of(example)
        found = documents(ResetInForward, tmp_path, text, monkeypatch)["diagnostics"]
        assert [(one["location"]["row"], one["code"]) for one in found] == [at[1:] for at in example.expected]
        export = text[: text.find("torch.export.export(")].count("\n") + 1
        assert all(export in {at["location"]["row"] for at in one["related"]} for one in found)


def test_the_methods_of_a_rule_are_asked_in_the_order_of_the_events(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = text_of(read(ResetInForward.__doc__ or "").bad[0])
    for in_exports in (False, True):
        rule: Any = type("Told", (Watching,), {"asked": [], "in_exports": in_exports})
        documents(rule, tmp_path, text, monkeypatch)
        outside = [("torch._dynamo.reset", False), ("torch.export.export", False), ("export", False)]
        inside = [("torch._dynamo.reset", True)]
        assert [one for one in rule.asked if one[0] != "torch.randn"][:4] == (
            [*outside[:2], *inside, *outside[2:]] if in_exports else [*outside, ("torch._dynamo.reset", False)]
        )


def test_a_method_that_no_event_is_named_like_is_an_error() -> None:
    with pytest.raises(TypeError, match=r"Rule\.on_exports is named after no event; did you mean 'on_export'\?"):
        type("OneRule", (Rule,), {"on_exports": None})


def test_a_rule_without_a_question_says_so() -> None:
    with pytest.raises(AssertionError, match="NoQuestion does not say how to check"):
        list(type("NoQuestion", (Rule,), {"code": "EX1"})().check(None))


def test_a_rule_for_another_version_of_the_interface_is_refused() -> None:
    rule = type("Later", (Rule,), {"code": "EX203", "name": "for-later", "api": aoti_lint.rule.API + 1})
    with pytest.raises(CannotRun, match=r"is written for version 2 of aoti_lint\.rule, and this .* has version 1"):
        Registry().add(rule, "the test")


def test_rules_change_nothing_of_what_they_are_given(tmp_path: Path) -> None:
    """Asked once more, in the other order, they find the same."""
    rules, names = list(load()), []
    for rule in rules:
        for number, example in enumerate(read(type(rule).__doc__ or "").bad):
            for name, text in example.files.items():
                path = tmp_path / f"{rule.code}_{number}" / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
                names += [str(path.relative_to(tmp_path))] if path.suffix == ".py" else []
    facts = analyse(Project(tmp_path, names), VersionSet.parse("2.13"))
    first = {rule.code: list(map(repr, rule.check(facts))) for rule in rules}
    again = {rule.code: list(map(repr, rule.check(facts))) for rule in reversed(rules)}
    assert first == again
    assert sum(map(len, first.values())) > len(rules)


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_rule_page", ROOT / "scripts" / "make_rule_page.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_the_page_is_up_to_date_and_says_something_of_every_name() -> None:
    text = script().page()
    assert (ROOT / "docs" / "rule_interface.md").read_bytes() == text.encode(), "run python scripts/make_rule_page.py"
    assert [line for line in text.splitlines() if line.endswith("|  |")] == []


def test_a_public_name_does_not_go_within_a_version() -> None:
    page = script().page()
    without = "\n".join(line for line in page.splitlines() if not line.startswith("| `judge`"))
    assert script().dropped(page, without) == ["aoti_lint.rule.judge"]
    assert script().dropped(without, page) == []
    assert script().dropped(page, without.replace("Version 1 ", "Version 2 ")) == []


def test_every_event_is_public() -> None:
    kinds = events.Event.__subclasses__()
    assert LoadEvent in kinds
    assert {kind.__name__ for kind in kinds} <= {*events.__all__, "OpTrial"}
