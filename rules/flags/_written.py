"""What code that nobody followed gives `torch.compile`, and which settings it writes, where no release takes that."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache

from aoti_lint.rule import SUPPORTED, Facts, VersionSet
from aoti_lint.rule.events import ApiCall, ConfigWrite
from aoti_lint.rule.torch import config_keys, settings
from aoti_lint.rule.written import call_at, settings_at, unfollowed

from ._compile import COMPILE, IGNORED_SINCE

_GIVEN = re.compile(rb"\b(mode|backend|dynamic|disable)[ \t]*=[ \t]*([\"'])([^\"'\\\r\n]*)\2")
"""A literal that torch.compile may be given."""
_SETTING = re.compile(
    rb"\bconfig\.patch\(\s*(?:([\"'])(?P<first>[\w.]+)\1\s*,|(?P<named>\w+)[ \t]*=(?!=))"
    rb"|\boptions[ \t]*=[ \t]*\{(?P<options>[^{}]*)\}"
    rb"|(?<!\w)\w*config\.(?P<bound>[\w.]+)[ \t]*=(?!=)"
)
"""Settings that `config.patch` is given first, that are in options, or that are assigned to."""
_COMPILERS = ("_inductor", "_dynamo", "_functorch", "options")
"""What a file speaks of that has a setting of these."""
_MORE, _ALIKE = 4, 0.8
"""Letters that a slip may have more or less, and how much of them has to be right."""
_KEY = re.compile(rb"([\"'])([\w.-]+)\1[ \t]*:")


def written_compiles(facts: Facts) -> Iterator[ApiCall]:
    """Calls of `torch.compile` that are given what no release takes."""
    known = {b"mode": frozenset().union(*modes(SUPPORTED).values()), b"backend": backends(SUPPORTED)}

    def is_wrong(match: re.Match[bytes]) -> bool:
        given = match[3].decode("utf-8", "replace")
        if match[1] not in known:
            return True
        # A newer release may have another one, and other functions have a mode and a backend, too.
        alike = given.replace("_", "-").lower() if match[1] == b"mode" else given
        return given not in known[match[1]] and bool(get_close_matches(alike, known[match[1]], 1))

    for place in unfollowed(facts, ("compile(",), _GIVEN, is_wrong):
        event = call_at(facts, place)
        if event is not None and event.name == COMPILE:
            yield event


def written_settings(facts: Facts) -> Iterator[ConfigWrite]:
    """Settings that no release has, and that have nearly the name of one."""

    def is_wrong(match: re.Match[bytes]) -> bool:
        return any(map(_is_near, _words(match) - _every_key()))

    for place in unfollowed(facts, _COMPILERS, _SETTING, is_wrong):
        for event in settings_at(facts, place):
            if settings.near_keys(event.module, event.key, VersionSet([SUPPORTED.last])):
                yield event


@cache
def _is_near(word: str) -> bool:
    """Whether a word may be a slip of the name of a setting, whatever class of settings that lies in."""
    plain = settings.plain(word)
    alike = [one for one in _plain_keys() if abs(len(one) - len(plain)) <= _MORE]
    near = [one for one in alike if one[:2] == plain[:2] or one[-2:] == plain[-2:]]
    return bool(get_close_matches(plain, near, 1, _ALIKE))


@cache
def _plain_keys() -> frozenset[str]:
    return frozenset(plain for key in _every_key() for plain in map(settings.plain, (key, key.rpartition(".")[2])))


def _words(match: re.Match[bytes]) -> set[str]:
    """The settings that a match names."""
    if match["options"] is not None:
        return {found[2].decode().replace("-", "_") for found in _KEY.finditer(match["options"])}
    return {(match["first"] or match["named"] or match["bound"]).decode()}


@cache
def _every_key() -> frozenset[str]:
    """The settings of all modules, with the groups of some."""
    modules = settings.config_modules()
    return frozenset(key for one in modules for key in (*settings.all_keys(one), *config_keys.groups(one)))


@cache
def backends(versions: VersionSet) -> frozenset[str]:
    """The backends that torch has in any of these releases."""
    return frozenset().union(*map(settings.compile_backends, versions)) | IGNORED_SINCE.keys() | {"inductor"}


@cache
def modes(versions: VersionSet) -> dict[str, frozenset[str]]:
    """The modes that torch knows, by release."""
    return {version: settings.compile_modes(version) for version in versions}
