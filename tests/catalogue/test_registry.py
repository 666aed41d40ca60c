"""How rules are found and named."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

import aoti_lint
from aoti_lint.catalogue.registry import Registry, load
from aoti_lint.catalogue.rule_docs import read
from aoti_lint.errors import CannotRun
from aoti_lint.rule import Rule
from tests.rules.fakes import registry, rule_class

RULES = Path(aoti_lint.__file__).parents[1] / "rules"


def test_every_file_in_the_rules_folder_is_a_rule_that_is_found() -> None:
    files = {path for path in RULES.rglob("*.py") if not path.name.startswith("_")}
    found = {Path(str(type(rule).__module__.replace(".", "/")) + ".py") for rule in load()}
    assert {"aoti_lint" / path.relative_to(RULES.parent) for path in files} == found


def test_a_file_is_named_after_its_rule() -> None:
    for rule in load():
        assert type(rule).__module__.rpartition(".")[2] == rule.name.replace("-", "_")


def test_a_folder_is_a_family() -> None:
    families = {"tool": "0", "device": "1", "api": "2", "shapes": "3", "ops": "4", "flags": "5", "package": "6",
                "model": "7"}  # fmt: skip
    for rule in load():
        assert rule.code.startswith("AOTI" + families[type(rule).__module__.split(".")[2]])


def test_sources_can_be_looked_at_by_who_has_only_the_wheel() -> None:
    own = re.compile(r"(?<![\w./])(?:tests|scripts|benchmarks)/")
    assert [rule.code for rule in load() if own.search(read(type(rule).__doc__ or "").prose.get("Sources", ""))] == []


def test_rules_are_found_by_code_name_and_prefix() -> None:
    rules = registry(AB101="first_rule", AB102="second_rule", AB201="third_rule")
    assert [rule.code for rule in rules.find("ab101")] == ["AB101"]
    assert [rule.code for rule in rules.find("Second-Rule")] == ["AB102"]
    assert [rule.code for rule in rules.find("AB1")] == ["AB101", "AB102"]
    assert [rule.code for rule in rules.find("all")] == ["AB101", "AB102", "AB201"]


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("AB104", "; aoti-lint explain AB10 lists the rules whose codes begin so"),
        ("ab999", "; aoti-lint explain AB lists the rules whose codes begin so"),
        ("AB1101", "; did you mean 'AB101'?"),
        ("AB1O1", "; did you mean 'AB101'?"),
        ("abl0l", "; did you mean 'AB101'?"),
        ("AB99999", "; aoti-lint explain AB lists the rules whose codes begin so"),
        ("frst-ru", "; did you mean 'first-rule'?"),
        ("frist-rule", "; did you mean 'first-rule'?"),
        ("zzz", ""),
        ("", ""),
    ],
)
def test_an_unknown_rule_is_refused_with_what_may_be_meant(word: str, hint: str) -> None:
    with pytest.raises(CannotRun) as caught:
        registry(AB101="first_rule").find(word)
    assert str(caught.value) == f"there is no rule {word!r}{hint}"


def test_the_beginning_of_codes_is_no_rule_where_one_is_wanted() -> None:
    assert registry(AB101="first_rule").near("ab1") == "; aoti-lint explain AB1 lists the rules whose codes begin so"


@pytest.mark.parametrize(("code", "name"), [("AB101", "other-rule"), ("AB999", "first-rule")])
def test_two_rules_cannot_share_a_code_or_a_name(code: str, name: str) -> None:
    rules = registry(AB101="first_rule")
    with pytest.raises(CannotRun, match=f"the test: RuleAB.* is {code} {name}, but .* is AB101 first-rule"):
        rules.add(rule_class(code, name), "the test")


@pytest.mark.parametrize(("code", "name"), [("101", "first-rule"), ("AB101", "first"), ("ab101", "first-rule")])
def test_malformed_codes_and_names_are_refused(code: str, name: str) -> None:
    with pytest.raises(CannotRun, match="needs a code such as"):
        Registry().add(rule_class(code, name), "the test")


def test_a_module_gives_the_rules_it_defines_and_not_those_it_imports() -> None:
    module = ModuleType("plugin")
    own, base, foreign = rule_class("AB101", "own-rule"), type("Base", (Rule,), {}), rule_class("AB102", "other-rule")
    own.__module__ = base.__module__ = "plugin"
    vars(module).update(Rule=Rule, own=own, base=base, foreign=foreign, number=3)
    rules = Registry()
    rules.add(module, "plugin")
    assert list(rules.names) == ["AB101"]


def test_something_that_is_no_rule_is_refused() -> None:
    with pytest.raises(CannotRun, match="plugin is no rule class"):
        Registry().add("text", "plugin")


def test_rules_that_are_known_are_imported_when_they_are_asked_for() -> None:
    """But nothing that is no module of ours: what is known may come from a cache that others can write to."""
    known = load().rows()
    made = load(lambda _key, _make: [*known, ["AB101", "other-rule", "antigravity", "Rule"]])
    assert made.names == load().names
    assert type(made.rule("AOTI301")) is type(load().rule("AOTI301"))
    assert made.find_codes("AOTI30") == [rule.code for rule in load().find("AOTI30")]
