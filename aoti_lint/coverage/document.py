"""The coverage of a run as a part of the JSON document (see `report.json_v1.Coverage`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from aoti_lint.coverage.apis import ASPECTS, KINDS
from aoti_lint.coverage.line import plain_place
from aoti_lint.coverage.measure import Site, measure
from aoti_lint.machine.facts import Facts
from aoti_lint.report.document import Places

FORMAT = "aoti-lint-coverage/1"


def coverage(facts: Facts | None, name_of: Callable[[str], str]) -> dict[str, Any]:
    """What was known where something matters; `facts` is None where there was nothing to analyse."""
    if facts is None:
        return {"format": FORMAT, "kinds": _kinds([]), "sites": [], "unfinished": [], "unread": []}
    places = Places(facts.project.source, name_of)
    sites = measure(facts, plain_place(facts.project, name_of))
    reported, named = {*facts.project.reported, *facts.project.natives}, set(facts.project.all_files)
    return {
        "format": FORMAT,
        "kinds": _kinds(sites),
        "sites": [
            {
                "kind": site.kind,
                **places.place(site.span),
                "followed": site.followed,
                "aspects": [_aspect(site, name) for name in ASPECTS[site.kind]],
            }
            for site in sites
        ],
        "unfinished": list(dict.fromkeys(one.root for one in facts.unfinished if one.path in reported)),
        "unread": [name_of(one.path) for one in facts.project.problems if one.path in named],
    }


def _kinds(sites: Sequence[Site]) -> list[dict[str, Any]]:
    found = []
    for kind in KINDS:
        of_kind = [site for site in sites if site.kind == kind]
        found.append(
            {
                "kind": kind,
                "sites": len(of_kind),
                "followed": sum(site.followed for site in of_kind),
                "aspects": [
                    {"aspect": name, "known": sum(site.knows(name) for site in of_kind)} for name in ASPECTS[kind]
                ],
            }
        )
    return found


def _aspect(site: Site, name: str) -> dict[str, Any]:
    """The first thing that was known, else the first reason why it was not."""
    said = sorted(site.of(name), key=lambda one: not one.known)
    return {"aspect": name, "known": site.knows(name), "text": said[0].text if said else ""}
