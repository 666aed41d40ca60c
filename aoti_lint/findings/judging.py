"""What the rules find, before anything is known of where the user wants to see it."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from aoti_lint.catalogue.registry import Registry
from aoti_lint.catalogue.selection import codes_of, levels, selected
from aoti_lint.diagnostics import Confidence, Diagnostic, Related, Severity, Span
from aoti_lint.errors import CannotRun
from aoti_lint.machine.facts import Facts
from aoti_lint.options import Options
from aoti_lint.profile import OFF, Timer
from aoti_lint.rule import Rule
from aoti_lint.rule.base import MAX_CALLERS
from aoti_lint.torch_api.versions import VersionSet
from aoti_lint.values.cases import settled
from aoti_lint.values.meter import METER, RULE_WORK, BudgetSpent

_SURENESS = list(Confidence)


MAX_WAYS = 20
"""Ways to a finding, beside the surest, that are kept."""


class Judging:
    """The rules that the options enable, with the severities they set."""

    def __init__(self, options: Options, registry: Registry, timer: Timer = OFF) -> None:
        """Raises `CannotRun` for a rule name the registry does not know."""
        self._registry, self._timer = registry, timer
        place = options.config.path or "the configuration"
        self._severity: dict[str, Severity | None] = {}
        for word, severity in options.config.severity.items():
            for code in codes_of(registry, word, f"{place}: severity"):
                self._severity[code] = None if severity == "off" else Severity(severity)
        off = {code for code, severity in self._severity.items() if severity is None}
        self.enabled = selected(registry, levels(options)) - off
        """The codes of the rules."""

    @property
    def codes(self) -> list[str]:
        """The codes of the enabled rules, in their order."""
        return [code for code in sorted(self._registry.names) if code in self.enabled]

    def found(self, facts: Facts | None, codes: Sequence[str] | None = None) -> list[Diagnostic]:
        """What the enabled rules find, or those of these `codes`.

        Of several findings that say the same, the surest, then the shortest to tell.
        """
        ways: dict[tuple[object, ...], list[Diagnostic]] = defaultdict(list)
        if facts is None:
            return []
        for rule in map(self._registry.rule, self.codes if codes is None else codes):
            if not (rule.of_releases and facts.project.holds_torch):
                with self._timer.during("rule", f"{rule.code} {rule.name}"):
                    checked = _checked(rule, facts)
                for diagnostic in settled(checked):
                    if diagnostic.versions == NO_VERSION:
                        continue
                    ways[diagnostic.code, diagnostic.span, diagnostic.message].append(diagnostic)
        found = list(_told_once(map(_surest, ways.values())))
        for diagnostic in [each for one in found for each in (one, *one.others)]:
            diagnostic.severity = self.severity_of(diagnostic)
            # What they were told apart by is of no use any more.
            diagnostic.case, diagnostic.event, diagnostic.chain = None, None, ()
        return found

    def severity_of(self, diagnostic: Diagnostic) -> Severity:
        """An error is certain, and for all versions; what the configuration says wins, but for mere possibilities."""
        if diagnostic.confidence is Confidence.POSSIBLE:
            return Severity.INFO
        wanted = self._severity.get(diagnostic.code)
        if wanted is not None:
            return wanted
        doubtful = diagnostic.confidence is not Confidence.CERTAIN or diagnostic.versions
        if doubtful and diagnostic.severity is Severity.ERROR:
            return Severity.WARNING
        return diagnostic.severity


NO_VERSION = (str(VersionSet()),)
"""What a diagnostic says that fails in none of the versions in question: it is no finding."""


def _checked(rule: Rule, facts: Facts) -> list[Diagnostic]:
    """What a rule finds; where it has too much to compare, or fails for a fault of ours, what it found until then."""
    found: list[Diagnostic] = []
    tell = partial(facts.notes.append, f"{rule.code} ({rule.name}) was not finished: there is too much to compare")
    try:
        with METER.allotted(RULE_WORK, tell):
            for diagnostic in rule.check(facts):
                found.append(diagnostic)
    except BudgetSpent:
        pass
    except Exception as error:
        fault = f"{type(error).__name__}: {error}"
        if not type(rule).__module__.startswith("aoti_lint."):
            raise CannotRun(f"rule {rule.code} of {type(rule).__module__} failed: {fault}") from error
        if os.environ.get("AOTI_LINT_DEBUG"):
            raise
        facts.notes.append(f"{rule.code} ({rule.name}) was not finished, because of a bug in aoti-lint ({fault})")
    return found


def _rank(diagnostic: Diagnostic) -> tuple[object, ...]:
    """What decides between findings that say the same of one place: not which of them was found first."""
    related = diagnostic.related
    sureness = _SURENESS.index(diagnostic.confidence), len(diagnostic.versions)
    return *sureness, len(related), [(one.span, one.message) for one in related], diagnostic.help


def _surest(ways: Sequence[Diagnostic]) -> Diagnostic:
    """The one that is told of several findings that say the same of one place."""
    first = min(ways, key=_rank) if len(ways) > 1 else ways[0]
    return _with_others(first, ways)


def _with_others(first: Diagnostic, found: Iterable[Diagnostic]) -> Diagnostic:
    """A finding with those of the others that have further ends."""
    ends = {span for one in (first, *first.others) for span in one.ends}
    for each in (each for one in found if one is not first for each in (one, *one.others)):
        if not ends.issuperset(each.ends) and len(first.others) < MAX_WAYS:
            ends.update(each.ends)
            each.others = ()
            first.others += (each,)
    return first


def _told_once(found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """The findings, those of one rule at one place once, however many ways lead there: the surest, with the others'.

    What one way to a place has several of (two dimensions of one export) stays several.
    """
    places: dict[tuple[str, Span], list[Diagnostic]] = defaultdict(list)
    for one in found:
        places[one.code, one.span].append(one)
    for group in places.values():
        first, *rest = sorted(group, key=lambda one: (*_rank(one), one.message))
        others = [one for one in rest if one.event != first.event]
        _with_others(first, others)
        calls = [Related(_apart(one, first), f"from here too: {one.message}") for one in others]
        first.related += tuple(call for call in calls[:MAX_CALLERS] if call.span != first.span)
        if len(others) > MAX_CALLERS:
            first.notes += (f"more calls that lead here and go wrong: {len(others) - MAX_CALLERS}",)
        yield from (one for one in group if one.event == first.event)


def _apart(one: Diagnostic, other: Diagnostic) -> Span:
    """The nearest call on the way to one finding that the other does not share."""
    return next((site for site in reversed(one.chain) if site not in other.chain), one.span)
