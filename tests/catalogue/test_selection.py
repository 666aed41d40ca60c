"""Which rules run."""

from __future__ import annotations

import pytest

from aoti_lint.catalogue.selection import Level, selected
from aoti_lint.errors import CannotRun
from tests.rules.fakes import registry

RULES = registry(AB101="first_rule", AB102="second_rule", AB201="third_rule", AB202="fourth_rule")


def codes(*levels: Level) -> str:
    return " ".join(sorted(code.removeprefix("AB") for code in selected(RULES, levels)))


def test_without_a_choice_all_run() -> None:
    assert codes() == "101 102 201 202"
    assert codes(Level("config"), Level("command line")) == "101 102 201 202"


@pytest.mark.parametrize(
    ("level", "chosen"),
    [
        (Level("", select=["AB1"]), "101 102"),
        (Level("", select=["first-rule", "ab201"]), "101 201"),
        (Level("", select=[]), ""),
        (Level("", ignore=["AB1"]), "201 202"),
        (Level("", select=["AB1"], extend=["AB201"]), "101 102 201"),
        (Level("", select=["AB1"], ignore=["AB101"]), "102"),
        (Level("", select=["AB101"], ignore=["AB1"]), "101"),
        (Level("", select=["AB101"], ignore=["AB101"]), ""),
        (Level("", extend=["AB101"], ignore=["ALL"]), "101"),
    ],
)
def test_one_level(level: Level, chosen: str) -> None:
    assert codes(level) == chosen


def test_the_command_line_starts_from_the_configuration() -> None:
    config = Level("config", select=["AB1"], ignore=["AB101"])
    assert codes(config, Level("command line", ignore=["AB102"])) == ""
    assert codes(config, Level("command line", extend=["AB101"])) == "101 102"


def test_select_on_the_command_line_starts_anew() -> None:
    config = Level("config", select=["AB1"], ignore=["AB201"])
    assert codes(config, Level("command line", select=["AB2"])) == "201 202"


def test_an_unknown_word_is_refused_with_its_place() -> None:
    with pytest.raises(CannotRun, match=r"^--ignore: there is no rule 'AB909'; aoti-lint explain AB lists "):
        selected(RULES, [Level("--ignore", ignore=["AB909"])])
