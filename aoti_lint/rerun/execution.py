"""Runs a plan stage by stage, reads what came out, and decides what to run next until the culprit has a name."""

from __future__ import annotations

import os
import shutil
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from aoti_lint.errors import CannotRun
from aoti_lint.rerun.copied.copies import Copy
from aoti_lint.rerun.copied.survey import Survey
from aoti_lint.rerun.judge.by_stage import READERS
from aoti_lint.rerun.judge.compiler_bisect import EAGER, fails
from aoti_lint.rerun.judge.fresh_compile import FreshCompile
from aoti_lint.rerun.judge.reading import Reading
from aoti_lint.rerun.plan.consent import Allowed, Consent
from aoti_lint.rerun.plan.placeholders import filled
from aoti_lint.rerun.plan.plan import FOLDER, GUARD, KERNEL, LAUNCHER, PACKAGE, PROGRAM, ROUNDS, Plan, Stage, Step
from aoti_lint.rerun.read.evidence import Evidence, evidence
from aoti_lint.rerun.read.tool_reports import speaking
from aoti_lint.rerun.report.user_paths import as_the_user_says
from aoti_lint.rerun.result import Ran, Result, Tried
from aoti_lint.rerun.run import children
from aoti_lint.rerun.run.children import Limits
from aoti_lint.rerun.run.folder import Workplace, place_of
from aoti_lint.rerun.wrapper import launches

BESIDE = frozenset({"sanity", "fakes", "compile-path"})
"""Stages in which the exported program runs beside its package: they change nothing of what is compiled."""
BESIDE_LATER = frozenset({"values"})
"""Stages in which it does if it could not before: nobody saved the program of a package that was there already."""
PACKAGE_WRONG = ("package", "package")
"""Kind and name of the culprit where a package is at odds with its program: which part of the compiler is left open."""
OUTSIDE = frozenset({"compare", "fakes"})
"""Stages that look at more than the package does with the inputs of these calls."""
NEEDS_FAILURE = frozenset({"compile-path"})
"""Stages that hold runs against runs that failed: where none did, they say nothing."""
TELL_MORE = frozenset({"values", "tensors"})
"""Stages that tell more of a culprit that is known by its launch."""

_NAMED = 5
"""Files that are named in a note."""

Tell = Callable[[str], None]


@dataclass(slots=True)
class Execution:
    """What is known so far."""

    plan: Plan
    workplace: Workplace
    limits: Limits
    tell: Tell
    reading: Reading = field(default_factory=Reading)
    tried: list[Tried] = field(default_factory=list)
    stopped: bool = False
    compiling: Callable[[], Plan] | None = None
    """Makes the plan for a program that turns out to compile what it loads."""
    consent: Consent | None = None
    """What may be run; without one, all that the plan has."""
    fresh: FreshCompile = field(init=False)
    _allowed: Allowed | None = field(init=False)

    def __post_init__(self) -> None:
        self._allowed = Allowed(self.consent) if self.consent is not None else None
        self.fresh = FreshCompile(self.workplace, self.plan.packages)

    def run(self) -> Result:
        """Run the stages that are still wanted; Ctrl-C ends with what is known by then."""
        try:
            for stage in self._stages():
                if self._wanted(stage):
                    self._stage(stage)
            self.reading.conclude()
            self._never_failed()
            self._repro()
        except KeyboardInterrupt:
            self.stopped = True
        return self._result()

    def _stages(self) -> Iterator[Stage]:
        """Those of the plan; once the program is seen to compile, those of the plan for that which are left."""
        done: set[str] = set()
        plan = self.plan
        while True:
            stage = next((one for one in self.plan.stages if one.name not in done), None)
            if stage is None:
                return
            done.add(stage.name)
            yield stage
            if self.compiling is not None and self.reading.compiles and self.plan is plan:
                self.plan = self.compiling()
                self.reading.note("it compiles what it loads, though its code does not tell: planned anew")

    def _wanted(self, stage: Stage) -> bool:
        sure = next((one for one in self.reading.culprits if one.sure), None)
        if sure is None:
            # Where a number went wrong is known then: what is left is the kernel that does it.
            if self.reading.agrees:
                return stage.name in OUTSIDE and self.plan.symptom == "wrong-result"
            if self.reading.origin is not None:
                return stage.name in TELL_MORE
            return stage.name not in NEEDS_FAILURE or not self.reading.failures or any(self.reading.failures)
        if (sure.kind, sure.name) == PACKAGE_WRONG:
            return stage.name == "compile-path"
        known = sure.launch is not None and bool(self.reading.program.launches)
        return stage.name in TELL_MORE and known and not self.reading.hangs

    def _never_failed(self) -> None:
        """Say it where every run ended well: then there is nothing that a run could have shown."""
        failures = self.reading.failures
        if failures and not any(failures) and not self.reading.culprits:
            # What a tool did beside these runs counts where it ended well, too.
            runs = max(sum(ran.how == "ended" and not ran.code for one in self.tried for ran in one.ran), len(failures))
            often = "the run" if runs == 1 else f"all {runs} runs"
            self.reading.note(
                f"nothing failed: {often} ended well, without NaN, and with what the exported program gives where that "
                "could be compared. Check that these runs do what failed: the same arguments, data and environment"
            )

    def _stage(self, stage: Stage) -> None:
        missing = [name for name in stage.needs if name != "cuda" and shutil.which(name) is None]
        if "cuda" in stage.needs and self.plan.device == "cpu":
            missing.append("CUDA")
        if missing:
            self._note(stage, (), [f"left out: {' and '.join(missing)} is not installed here"])
            return
        self.tell(f"{stage.name}: {stage.title}")
        ran: list[Ran] = []
        shows: list[str] = []
        for turn in range(ROUNDS if stage.repeats else 1):
            kernels = self.reading.asks() if stage.repeats else ()
            if stage.repeats and not kernels:
                break
            seen: list[Evidence] = []
            for step in stage.steps:
                saved = next((one.tensors for one in reversed(seen) if one.tensors is not None), None)
                done = self._step(stage, step, kernels, turn, saved)
                if done is not None:
                    seen.append(done)
                    ran.append(done.ran)
                    if done.ran.how == "stopped":
                        self.stopped = True
                        break
                    if step.phase == "build" and done.failed:
                        break
                    if EAGER in step.environment and fails(done):
                        # The fault is in the model: what the compiler does makes no difference.
                        break
            shows += self._read(stage, seen, kernels)
            if self.stopped or not seen or not self.reading.again:
                break
        self._note(stage, ran, shows or ["nothing that explains the failure"])
        if self.stopped:
            raise KeyboardInterrupt

    def _step(self, stage: Stage, step: Step, kernels: Sequence[str], turn: int, saved: str | None) -> Evidence | None:
        """Run one process; None if something that it needs is not there. `saved` has tensors that one before saved."""
        if any(shutil.which(name) is None for name in step.needs):
            return None
        name = stage.name if not turn else f"{stage.name}-{turn + 1}"
        reading = self.reading
        known = {
            FOLDER: saved or self._folder(name), KERNEL: ",".join(kernels), GUARD: reading.guard,
            PACKAGE: reading.package, PROGRAM: reading.exported, LAUNCHER: reading.launcher,
        }  # fmt: skip
        whole = filled(step, {hole: text for hole, text in known.items() if text})
        if whole is None:
            return None
        beside = stage.name in BESIDE or (stage.name in BESIDE_LATER and not reading.beside)
        if beside and whole.phase in ("whole", "run"):
            whole = whole.model_copy(update={"beside": True})
        cwd = self._folder(name) if step.inside else None
        if self._allowed is not None:
            self._allowed.take(self.plan, step)
        try:
            ran = children.run(speaking(whole), self.workplace, self.limits, self.tell, name, cwd)
        except CannotRun as error:
            if whole.phase != "tool":
                raise
            reading.note(f"{stage.name}: {error}")
            return None
        lines = self.workplace.lines(ran)
        made = evidence(stage, whole, ran, lines, self.workplace.events(ran), None)
        return replace(made, tensors=self.workplace.tensors(ran, made.package), there=self.workplace.there)

    def _folder(self, name: str) -> str:
        """The folder of a stage."""
        folder = os.path.join(self.workplace.root, "stages", name)
        os.makedirs(folder, exist_ok=True)
        return folder

    def _read(self, stage: Stage, seen: Sequence[Evidence], kernels: Sequence[str]) -> list[str]:
        shows: list[str] = []
        for one in seen:
            if self.fresh.spoilt(one):
                continue
            compiled = any(event.event in ("compile", "lower") for event in one.events)
            self.reading.compiles = self.reading.compiles or (one.step.phase == "run" and compiled)
            if (stale := self.fresh.stale(one, self.reading.failures)) is not None:
                self.reading.blame(stale)
            if (said := self.fresh.look(one)) is not None:
                self.reading.note(said)
            self.reading.exported = one.exported or self.reading.exported
            self.reading.beside |= any(event.event in ("compared", "origin") for event in one.events)
            if one.package:
                self.reading.package = one.package
                self.reading.program = launches.read(one.package, self.workplace.said)
            shows += READERS.get(stage.name, READERS[""])(self.reading, one, self.plan.symptom)
        return list(dict.fromkeys(shows))

    def _repro(self) -> None:
        """A script that runs the culprit alone, where its tensors were saved."""
        suspect, folder = self.reading.suspect, self.reading.dumps
        if suspect is None or suspect.launch is None or not folder:
            return
        from aoti_lint.rerun.repro.write import write
        from aoti_lint.rerun.wrapper.errors import NoRepro
        from aoti_lint.tensors.dumps import read

        try:
            where = os.path.join(self.workplace.root, "repro")
            made = write(suspect.launch, self.reading.package, read(folder), where, self.workplace.said)
            self.reading.repro = os.path.relpath(made, self.workplace.root)
        except (NoRepro, CannotRun) as error:
            self.reading.notes.append(f"no program that runs {suspect.name} alone: {error}")

    def _note(self, stage: Stage, ran: Sequence[Ran], shows: Sequence[str]) -> None:
        self.tried.append(Tried(stage=stage.name, title=stage.title, ran=tuple(ran), shows=tuple(shows)))

    def _result(self) -> Result:
        culprits = sorted(self.reading.culprits, key=lambda one: not one.sure)
        made = Result(
            target=self.plan.target, symptom=self.plan.symptom, torch=self.plan.torch,
            folder=self.workplace.root, found=any(one.sure for one in culprits), culprits=tuple(culprits),
            causes=tuple(self.reading.causes.values()), tried=tuple(self.tried),
            notes=(*self.plan.notes, *self.reading.notes), repro=self.reading.repro, stopped=self.stopped,
            consent=self.consent,
        )  # fmt: skip
        return as_the_user_says(made)


def execute(
    plan: Plan, limits: Limits, keep: str | None, tell: Tell, compiling: Callable[[], Plan] | None = None,
    consent: Consent | None = None, survey: Survey | None = None,
) -> Result:  # fmt: skip
    """Run a plan, in a new folder or in the one that `keep` names, and write `report.json` and `report.html` there.

    Programs are run in a copy of what `survey` has, which is removed at the end; in the current folder without one.
    What is not in `consent` is not run. What was compiled is dropped from a folder that nobody named. `compiling` makes
    the plan to go on with if the program compiles what it loads, where `plan` is for one that only loads.

    Raises `CannotRun` if the folder or the copy cannot be made, or a program of the plan cannot be started.
    """
    from aoti_lint.rerun.report.page import html
    from aoti_lint.rerun.report.words import json_text

    if threading.current_thread() is threading.main_thread():
        # Like Ctrl-C: no child, and no copy, may outlive its parent.
        for name in ("SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), signal.default_int_handler)
    root, copy = place_of(keep), None
    try:
        place = Workplace(root, ours=keep is None)
        if survey is not None:
            copy = Copy(survey, root)
            place.use(copy)
        result = Execution(plan, place, limits, tell, compiling=compiling, consent=consent).run()
        if survey is not None and (changed := survey.changed()):
            named = ", ".join(map(os.path.relpath, changed[:_NAMED])) + (", …" if changed[_NAMED:] else "")
            said = f"changed while this ran, by a program that went around the copy, or by somebody else: {named}"
            result = result.model_copy(update={"notes": (*result.notes, said)})
        if keep is None:
            place.drop_caches()
        place.write("report.json", json_text(result))
        place.write("report.html", html(result))
    except OSError as error:
        raise CannotRun(f"{error.filename or root}: {error.strerror or error}") from None
    finally:
        if copy is not None:
            copy.remove()
    return result
