"""The analysis of a project: its roots are run one after the other, then what they found is joined."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from aoti_lint import models
from aoti_lint.diagnostics import Diagnostic
from aoti_lint.language.imports import imported
from aoti_lint.lazily.dataclass import replace
from aoti_lint.linking import unjudged
from aoti_lint.linking.context_files import wanted
from aoti_lint.linking.hosts import tell_hosts
from aoti_lint.linking.natives import exported, tell_natives
from aoti_lint.machine.changes import Wanted, change
from aoti_lint.machine.facts import Facts
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.one_stack import on_one_stack
from aoti_lint.machine.reader import Reader
from aoti_lint.machine.recorded.units import Units
from aoti_lint.machine.shared import SILENCES
from aoti_lint.models.process.handed_variables import tell_assignments, tell_outside, tell_unheard
from aoti_lint.models.process.process import TABLE
from aoti_lint.profile import OFF, Timer
from aoti_lint.roots.launched import run_launched
from aoti_lint.roots.run import run_functions, run_script
from aoti_lint.roots.side_by_side import in_turn
from aoti_lint.source.project import Project
from aoti_lint.torch_api.target import Target
from aoti_lint.torch_api.versions import VersionSet
from aoti_lint.tracing.trials.ops import try_waiting
from aoti_lint.values.events.event import Turn
from aoti_lint.values.events.kinds import ALL
from aoti_lint.values.unfinished import notes
from aoti_lint.values.values import Const

if TYPE_CHECKING:  # few projects have any
    from aoti_lint.program.named import NamedArchive
    from aoti_lint.source.settings.model import Assignment
    from aoti_lint.source.settings.scripts import Launched

BESIDE, LAST = 4, 1 << 30
"""The phase of what is not Python, after which that of each file beside the reported ones follows; and the last one."""


MANY = 64
"""So many files are analysed where the findings of each rule are kept by themselves."""
JUDGED: Wanted = "judged", ""
"""What the rules find."""


class Judge(NamedTuple):
    """The rules, as an analysis asks what they find."""

    codes: Sequence[str]
    """Their codes, in the order in which they are asked."""
    find: Callable[[Facts, Sequence[str]], list[Diagnostic]]
    """Gives what those of these codes find; what else there is to say they add to the notes of the facts."""
    name: str
    """What they and all that they are told, besides the facts, are known by."""
    is_kept: bool
    """Whether nothing else matters for them: they read files through the project of the facts only."""


@on_one_stack
def analyse(
    project: Project,
    versions: VersionSet,
    *,
    stated: bool = True,
    below: Mapping[str, Target] | None = None,
    archives: Sequence[NamedArchive] = (),
    environment: Mapping[str, str] | None = None,
    outside: Mapping[str, dict[str, Assignment]] | None = None,
    assignments: Iterable[Assignment] = (),
    unheard: Iterable[Assignment] = (),
    launched: Mapping[str, Sequence[Launched]] | None = None,
    units: Units | None = None,
    processes: int = 1,
    judge: Judge | None = None,
    silences: bool = False,
    timer: Timer = OFF,
) -> Facts:
    """Interpret the reported files of `project`, and the context they need, for the target `versions` of torch.

    `stated` is whether anybody said which versions these are, `below` has the folders with others of their own (see
    `Target`); `archives` are those that were named. Every script starts with the variables of `environment`, and each
    with those that `outside` has for its path; `assignments` are all that files outside Python set, `unheard`
    what they set for nobody, and `launched` what they start, by their paths.

    `units` are those of earlier analyses with the same arguments: what depends on nothing that changed since is not run
    again. Where they have a cache, so many `processes` take part.

    What `judge` finds is in the facts; they may have no events then, where that is known from earlier analyses.
    Where `silences` are wanted, those of units that are not run again are told as well.

    With `units`, `Restart` may be raised: then all has to be done once more, with another `Project`. Nothing is raised
    for what stands in the sources; what could not be followed is in the facts' notes and silences.
    """
    with timer.during("step", "load the models"):
        models.load()
    m = Machine(project, versions, timer, units)
    m.facts.versions_stated = stated
    m.facts.below = below or {}
    m.facts.archives = list(archives)
    m.facts.environment = dict(environment or {})
    for name, value in m.facts.environment.items():
        m.store.write(TABLE, name, Const(value))
    m.modules.outside = dict(outside or {})
    prepare = partial(imported, m)
    for path in project.analysed:
        tell_outside(m, path)
    tell_assignments(m, assignments)
    tell_unheard(m, unheard)
    in_turn(m.recording, project.analysed, partial(run_script, m), processes)
    for path, those in (launched or {}).items():
        run_launched(m, path, those)
    in_turn(m.recording, project.analysed, partial(run_functions, m), processes)
    with timer.during("step", "join what was found"):
        m.unit(("join", "", BESIDE), partial(_join, m), prepare)
    phases = {path: phase for phase, path in enumerate(m.facts.context, BESIDE + 1)}
    in_turn(m.recording, phases, lambda path: _run_beside(m, path, phases[path]), processes)
    try_waiting(m, LAST)
    if silences:
        m.want(SILENCES)
    m.facts.notes += notes([one for one in m.facts.unfinished if one.path not in project.beside])
    if judge is None:
        _complete(m)
        _sum_up(m, unjudged.summary(m.facts))
    else:
        _judge_all(m, judge, prepare)
    if m.recording is not None:
        m.recording.end(m)
    return m.facts


def _run_beside(m: Machine, path: str, phase: int) -> None:
    run_script(m, path, phase)
    run_functions(m, path, phase)


def _join(m: Machine) -> None:
    """Join what the scripts tell with what is not Python, and say which other files may tell more."""
    Reader(m, "alike").asks_for_rest()
    with m.facts.in_turn(Turn(BESIDE)):
        with m.asking("alike"):
            tell_natives(m)
        with m.asking("alike"):
            exporting = any(exported(m.facts))
        with m.asking():  # what is told of hosts may have the names of files that scripts write
            tell_hosts(m, exporting)
        with m.asking("alike"):
            m.do(_is_context, *wanted(m.facts))


@change()
def _is_context(m: Machine, paths: list[str], left_out: int) -> None:
    m.facts.context = paths
    if left_out:
        m.facts.notes.append(f"{left_out} more files that may use these, or be used by them, were not read")
        m.facts.narrowed = True


def _judge_all(m: Machine, judge: Judge, prepare: Callable[[str], object]) -> None:
    """Ask the rules, where there is much each by itself: then only those are asked again that may find something else.

    Keeping what each found costs more than asking where there is little.
    """
    apart = judge.is_kept and len(m.project.analysed) > MANY
    m.facts.judged = []
    with m.asking("alike") if judge.is_kept else nullcontext():
        for code in judge.codes if apart else ():
            m.unit(("rules", f"{judge.name} {code}", LAST), partial(_judge, m, judge, [code]), prepare)
        rest = () if apart else judge.codes
        m.unit(("rules", judge.name, LAST), partial(_judge, m, judge, rest, ends=True), prepare)
    m.want(JUDGED)


def _judge(m: Machine, judge: Judge, codes: Sequence[str], *, ends: bool = False) -> None:
    """Ask the rules of these codes; where that `ends` it, say what could not be judged."""
    Reader(m, "alike").asks_for_rest()
    if not judge.is_kept:
        _complete(m)
        if m.recording is not None:
            m.recording.spoil()
    before = len(m.facts.notes)
    found = judge.find(m.facts, codes)
    told = m.facts.notes[before:]
    del m.facts.notes[before:]
    if found or told:
        m.do(_found, found, told)
    if ends:
        m.do(_sum_up, unjudged.summary(m.facts))


def _complete(m: Machine) -> None:
    """All that happens is there, in the order in which it happens."""
    Reader(m).asks_for((ALL,))
    m.facts.sort()


@change(waits=lambda *_: JUDGED)
def _found(m: Machine, found: list[Diagnostic], told: list[str]) -> None:
    # Others will write into them.
    assert m.facts.judged is not None
    m.facts.judged += [replace(one) for one in found]
    m.facts.notes += told


@change()
def _sum_up(m: Machine, missed: str | None) -> None:
    if missed is not None:
        m.facts.notes.insert(0, missed)
