"""The places that matter in a run, each with what was known of it.

A place of the text is one place, however often it is reached. For the counts it is known in a respect if it is so in
any event of it: rules judge each event for itself, so what was known once was judged. Places of the text that nothing
reached count as well, with nothing known, so that what is left out cannot look good.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from aoti_lint.coverage import aspects, ops
from aoti_lint.coverage.apis import APIS, KINDS, ONNX, PROGRAM_LOADER
from aoti_lint.coverage.aspects import Place
from aoti_lint.coverage.scopes import Files
from aoti_lint.coverage.sites import sites_of
from aoti_lint.coverage.words import Aspect
from aoti_lint.diagnostics import Span
from aoti_lint.machine.facts import Facts
from aoti_lint.tracing.trials.ops import is_fake
from aoti_lint.values.events.api import ApiCall
from aoti_lint.values.events.event import Event
from aoti_lint.values.events.exports import Exporting
from aoti_lint.values.events.ops import OpDefinition, OpImpl
from aoti_lint.values.events.packages import (
    CallEvent,
    CompileEvent,
    HostCall,
    HostLoad,
    LoadEvent,
    PackEvent,
    SaveEvent,
)


@dataclass(frozen=True, slots=True)
class Way:
    """One time that a place was reached, in the run of `root`, and what was known then.

    `event` happened then, or the place was reached by it.
    """

    root: str
    aspects: tuple[Aspect, ...]
    event: Event


@dataclass(eq=False, slots=True)
class Site:
    """A place that matters. `called`: torch is called there, though what that does may not be known."""

    kind: str
    span: Span
    context: str
    ways: list[Way] = field(default_factory=list)
    called: bool = False

    @property
    def followed(self) -> bool:
        """Whether anything that was followed gets there."""
        return self.called or bool(self.ways)

    def of(self, name: str) -> list[Aspect]:
        """What was known of it in one respect, each thing once."""
        return list(dict.fromkeys(one for way in self.ways for one in way.aspects if one.name == name))

    def knows(self, name: str) -> bool:
        """Whether it was known in that respect, in any event."""
        return any(one.known for one in self.of(name))


def measure(facts: Facts, place: Place, paths: Collection[str] | None = None) -> list[Site]:
    """The places in the reported files, or in those of them that are named, in their order."""
    project = facts.project
    reported = [*project.reported, *project.natives]
    within = {path for path in reported if paths is None or path in paths}
    sites: dict[tuple[str, Span], Site] = {}
    files = Files(project)
    for path in project.reported:
        for found in sites_of(files, path) if path in within else ():
            sites.setdefault((found.kind, found.span), Site(*found))
    calls: dict[tuple[Span, str], ApiCall] = {}
    for call in facts.of(ApiCall):
        kinds = ("export",) if call.name == ONNX else APIS.get(call.name, ())
        if not kinds or call.span.path not in within:
            continue
        calls[call.span, call.root] = call
        for kind in kinds:
            if (kind, call.span) in sites:
                sites[kind, call.span].called = True
    for kind, event, known in _told(facts, within, place, calls):
        site = sites.setdefault((kind, event.span), Site(kind, event.span, event.context))
        site.ways.append(Way(event.root, known, event))
    return sorted(sites.values(), key=lambda one: (one.span, KINDS.index(one.kind)))


def _told(
    facts: Facts, within: Collection[str], place: Place, calls: dict[tuple[Span, str], ApiCall]
) -> Iterator[tuple[str, Event, tuple[Aspect, ...]]]:
    """The events at such places, with the kind of each and what was known."""
    for event in facts.events:
        if event.span.path not in within:
            continue
        match event:
            case Exporting():
                yield "export", event, tuple(aspects.of_export(facts, event, place))
            case CompileEvent():
                call = calls.get((event.span, event.root))
                yield "compile", event, tuple(aspects.of_compile(facts, event, place, call))
            case PackEvent() | SaveEvent():
                yield "package", event, tuple(aspects.of_package(facts, event, place))
            case LoadEvent():
                yield "load", event, tuple(aspects.of_load(facts, event, place))
            case ApiCall(name=name) if name == PROGRAM_LOADER:
                found = tuple(aspects.of_program_load(facts, event, place))
                if found:
                    yield "load", event, found
            case HostLoad():
                yield "load", event, tuple(aspects.of_host(facts, event, place))
            case CallEvent() | HostCall():
                yield "call", event, tuple(aspects.of_call(facts, event, place))
            case OpDefinition():
                yield "op", event, tuple(ops.of_definition(facts, event, place))
            case OpImpl() if is_fake(event):
                yield "fake", event, tuple(ops.of_fake(facts, event, place))
