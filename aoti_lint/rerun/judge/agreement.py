"""A package that gives what its program gives, in a program that finds its results wrong: what differs is elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from aoti_lint.rerun.read.events import Event
from aoti_lint.rerun.read.evidence import Evidence
from aoti_lint.rerun.result import Culprit, place_at

AGREES = (
    "the package gives what its exported program gives, on the inputs of all the calls: the compiler changed nothing. "
    "What it is compared with is another model: compare that with `program.module()`, and look at eval(), at what "
    "changes buffers, and at weights that are set after the export"
)


GOOD = (
    "no call of a package gave NaN or infinities, and each gave what its exported program gives: the error is one of "
    "the code around it"
)


def agrees(seen: Evidence) -> bool:
    """Whether each call of a package gave what its program gives, and the user's code then ended with an error."""
    compared = [event for event in seen.events if event.event == "compared"]
    raised = any(event.event == "raised" and event.what in ("call", "op", "load", "compile") for event in seen.events)
    if not compared or raised or seen.ran.how != "ended" or seen.ran.code in (0, None):
        return False
    calls = len({(event.pid, event.number) for event in seen.calls})
    return all(event.same for event in compared) and sum(event.output == 0 for event in compared) == calls


def by_agreement(seen: Evidence) -> list[Culprit]:
    """What makes the model another one than the package, where they agree: changed weights, or buffers of its own."""
    return by_changes(seen.events) or by_state(seen.events)


def by_error(seen: Evidence) -> list[Culprit]:
    """The line of the user's code that ended the program, where all calls went well."""
    log = seen.found.log
    if not log.frames or not log.last_error:
        return []
    last = log.frames[-1]
    return [
        Culprit(
            kind="code", name=last.function or "the script", sure=False,
            place=place_at(last.path, last.row, last.function),
            what=f"the program ends here: {log.last_error.strip()}; no call of a package gave NaN or infinities",
        )
    ]  # fmt: skip


def by_changes(events: Sequence[Event]) -> list[Culprit]:
    """What changed weights of the model after its package was compiled."""
    event = next((event for event in events if event.event == "changed"), None)
    if event is None:
        return []
    call = next((one for one in events if one.event == "call" and one.package == event.package), None)
    names = _listed(event)
    them = f"{event.differing} of the {event.of_all} weights and buffers of the model"
    return [
        Culprit(
            kind="code", name="load_state_dict" if event.place is not None else "weights of the model", sure=True,
            what=f"{them} ({names}) were changed after the package was compiled: it has them as they were then, and "
            "gives what its program gives with those",
            place=event.place or (call.place if call is not None else None),
            fix="Compile when the model has its weights, or give them to the package (load_constants). Buffers that "
            "calls change: the package has its own, so compare it with a model in the same state.",
        )
    ]  # fmt: skip


def by_state(events: Sequence[Event]) -> list[Culprit]:
    """Buffers that each call changes, which the package and the model that it is compared with have for themselves."""
    event = next((event for event in events if event.event == "state"), None)
    if event is None:
        return []
    call = next((one for one in reversed(events) if one.event == "call" and one.time <= event.time), None)
    return [
        Culprit(
            kind="code", name=f"buffer {_listed(event)}", sure=False, place=call.place if call is not None else None,
            what="each call changes it, and the package has one of its own: after other calls than those of the model "
            "that it is compared with, it has other numbers",
            fix="Compare from the same state: load the package anew, give the model the buffers that it had at the "
            "export, and call both equally often.",
        )
    ]  # fmt: skip


def _listed(event: Event) -> str:
    return ", ".join(event.names) + (", …" if event.differing > len(event.names) else "")
