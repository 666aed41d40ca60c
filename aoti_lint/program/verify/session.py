"""A whole run: load, plan, run, judge, shrink."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field

from aoti_lint.errors import CannotRun
from aoti_lint.isolated.process import Died
from aoti_lint.program import facts
from aoti_lint.program.errors import Unreadable
from aoti_lint.program.exported.modes import batch_norms, dropouts
from aoti_lint.program.read import read
from aoti_lint.program.verify import causes
from aoti_lint.program.verify.cases import KINDS, Case, Kind
from aoti_lint.program.verify.contract import of_package, of_program
from aoti_lint.program.verify.judge import Finding, difference, judge
from aoti_lint.program.verify.plan import Limits, plan
from aoti_lint.program.verify.process import Child
from aoti_lint.program.verify.protocol import Open, Opened, Result, Role
from aoti_lint.program.verify.render import leaves, python
from aoti_lint.program.verify.report import Failure, Ran, Report
from aoti_lint.program.verify.shrink import shrink
from aoti_lint.program.verify.snippet import snippet
from aoti_lint.program.verify.space import Space

MOST_DEATHS = 4
"""After so many crashes and hangs inside the contract, or beyond it, the rest of those cases is not run."""
OVERHEAD = 0.2
"""Seconds in a model that have nothing to do with the size of its inputs."""
BUDGETS = {"crash": 6, "hang": 2}
"""How often a case is run again to make it smaller, for those that cost a process each."""


@dataclass
class Options:
    """What the user asked for."""

    asked: Open
    package: facts.Package | None = None
    program: facts.Program | None = None
    file: str = ""
    python: str = sys.executable
    timeout: float = 120.0
    case_seconds: float = 20.0
    rtol: float | None = None
    atol: float | None = None
    kinds: tuple[Kind, ...] = KINDS
    limits: Limits = field(default_factory=Limits)
    tell: Callable[[str], None] = lambda text: None


_MOST = 200
"""Characters of what torch says of an operator that it does not know."""


def verify(options: Options) -> Report:
    """Run everything. Raises `CannotRun` when the models cannot be loaded or called at all."""
    with tempfile.TemporaryDirectory(prefix="aoti-lint-") as folder:
        asked = options.asked.model_copy(update={"save_to": os.path.join(folder, "program.pt2")})
        with Child(asked, options.python, options.timeout) as child:
            try:
                opened = child.open()
            except CannotRun as error:
                missing = _missing(options)
                if not missing:
                    raise
                raise CannotRun(f"{missing}. {str(error).partition(chr(10))[0][:_MOST]}") from None
            program = options.program
            if opened.saved and asked.save_to is not None:
                program = read(asked.save_to).programs[0]
            try:
                space = _space(options, program, opened)
                return Session(options, child, opened, program, space).report()
            except Unreadable as error:
                raise CannotRun(f"{options.file}: {error}") from None


def _missing(options: Options) -> str:
    """What is lacking if the models need operators that nothing defines."""
    ours = options.program.custom_ops if options.program is not None else ()
    theirs = options.package.custom_ops if options.package is not None else ()
    custom = sorted({*ours, *theirs})
    if not custom or options.asked.ops or options.asked.script:
        return ""
    return f"{', '.join(custom)} must be defined first: name the Python file or library that does it with --ops"


def _space(options: Options, program: facts.Program | None, opened: Opened) -> Space:
    if program is None:
        assert options.package is not None
        return of_package(options.package, opened, options.asked.device)
    package = options.package
    tensors = sum(item.kind == "tensor" for item in program.inputs)
    if package is not None and package.readable and len(package.inputs) != tensors:
        raise CannotRun(
            f"the package takes {len(package.inputs)} tensors and the program {tensors}: "
            "it was not compiled from this program"
        )
    return of_program(program, opened, options.asked.device)


class Session:
    """The cases of one run, one after the other, and what they came to."""

    def __init__(
        self, options: Options, child: Child, opened: Opened, program: facts.Program | None, space: Space
    ) -> None:
        self._options, self._child, self._opened = options, child, opened
        self._program, self._space = program, space
        self._ran: list[Ran] = []
        self._failures: dict[object, Failure] = {}
        self._notes: list[str] = []
        self._values = True
        self._asked_random = False
        self._written: set[int] = set()
        self._numbers: dict[str, None] = {}
        self._measured = "", 0, 0.0
        """The largest case so far, how many elements it has, and the least seconds that so many took."""

    def report(self) -> Report:
        cases = [case for case in plan(self._space, self._options.limits) if case.kind in self._options.kinds]
        self._training()
        for inside in (True, False):
            self._run_all([case for case in cases if case.inside == inside], inside)
        if not any(ran.finding.verdict == "agrees" for ran in self._ran) and not self._failures:
            self._notes.append("no case came to a comparison: every one of them was refused or raised")
        if self._numbers:
            self._notes.append(f"the package gives {', '.join(self._numbers)} as a tensor, not as a Python number")
        asked = self._options.asked
        return Report(
            file=self._options.file,
            program=asked.program,
            script=f"{asked.script}:{asked.function}" if asked.script else None,
            compared=self._opened.roles,
            torch=self._opened.torch,
            device=asked.device or next((item.device for _, item in self._space.tensors()), "cpu"),
            seed=self._options.limits.seed,
            cases=tuple(self._ran),
            failures=tuple(self._failures.values()),
            notes=tuple(self._notes),
        )

    def _run_all(self, cases: list[Case], inside: bool) -> None:
        # A small case says little about a large one, and the first call or a busy machine makes it slow: those that
        # seem long wait until the others were measured.
        long = self._run_each(self._run_each(cases, inside), inside)
        if long:
            shown = ", ".join(case.name for case in long[:3]) + (" …" if len(long) > 3 else "")
            count, they = ("1 case was", "it") if len(long) == 1 else (f"{len(long)} cases were", "each")
            limit = f"{self._options.case_seconds:g} seconds (--case-seconds)"
            name, _, seconds = self._measured
            self._notes.append(f"{count} left out, as {they} may take longer than {limit}, going by the {seconds:.1f} "
                               f"seconds of '{name}': {shown}")  # fmt: skip

    def _run_each(self, cases: list[Case], inside: bool) -> list[Case]:
        """Run cases one after the other; gives those that seem to take too long."""
        deaths = 0
        long: list[Case] = []
        for number, case in enumerate(cases):
            if self._expected(case) > self._options.case_seconds:
                long.append(case)
                continue
            self._options.tell(f"case {len(self._ran) + 1}: {case.name}")
            # Whether it is random is asked of the first case that comes to a result.
            first = inside and not self._asked_random
            result = self._run(case, twice=first)
            if isinstance(result, Result):
                self._took(case, result.seconds)
                self._asked_random = True
            if isinstance(result, Died) and result.how == "crash":
                result = self._alone(case, result)
            if first and isinstance(result, Result) and result.random:
                self._random(case, result)
            finding = judge(case, result)
            silent = False
            if case.kind == "outside":
                finding, silent = beyond(finding, result)
            elif not finding.good:
                self._failed(case, finding)
            if isinstance(result, Result) and inside:
                self._writes(case, result)
                self._numbers.update(dict.fromkeys(result.numbers))
            self._ran.append(Ran(case=case, finding=finding, silent=silent))
            deaths += isinstance(result, Died)
            if deaths == MOST_DEATHS and number + 1 < len(cases):
                where = "inside" if inside else "outside"
                rest = len(cases) - number - 1 + len(long)
                self._notes.append(f"{rest} cases {where} the contract were not run after {deaths} crashes")
                return []
        return long

    def _took(self, case: Case, seconds: float) -> None:
        """Learn how long an element takes, from the largest case so far, when nothing else held it up."""
        _, most, least = self._measured
        elements = self._elements(case)
        if elements > most or (elements == most and seconds < least):
            self._measured = case.name, elements, seconds

    def _expected(self, case: Case) -> float:
        """Seconds that a case would take, at the least: work grows with the inputs, or faster."""
        _, elements, seconds = self._measured
        return max(seconds - OVERHEAD, 0.0) * self._elements(case) / elements if elements else 0.0

    def _elements(self, case: Case) -> int:
        return sum(self._space.elements(call.sizes) for call in case.calls)

    def _run(self, case: Case, twice: bool = False) -> Result | Died:
        calls = [[python(leaf) for leaf in leaves(self._space, case, call)] for call in case.calls]
        options = self._options
        return self._child.run_case(calls, rtol=options.rtol, atol=options.atol, values=self._values, twice=twice,
                               outside=not case.inside)  # fmt: skip

    def _alone(self, case: Case, died: Died) -> Died | Result:
        """Run what crashed in a new process: damaged memory may show long after the call that did it."""
        if self._child.ran == 1:
            return died
        again = self._run(case)
        if isinstance(again, Died):
            return again
        before = self._ran[-1].case.name
        text = f"{died.text}; not when it is run alone: memory was damaged before, perhaps by '{before}'"
        return died.model_copy(update={"text": text})

    def _random(self, case: Case, result: Result) -> None:
        """Values are not compared from here on; it is a failure if training mode did it."""
        self._values = False
        alive = dropouts(self._program.calls) if self._program is not None else []
        roles = " and ".join(f"the {role}" for role in result.random)
        if not alive and not self._opened.training and self._program is not None:
            drawn = causes.draws(self._program)
            if drawn and "package" not in result.random[:1]:
                self._notes.append(f"{roles} gives random numbers, as {causes.places(drawn)} asks for; only shapes and "
                                   "dtypes are compared")  # fmt: skip
                return
        where = f": dropout is alive in {causes.places(alive)}" if alive else ""
        if not where and self._opened.training:
            where = f": {', '.join(self._opened.training[:3])} is in training mode"
        finding = Finding(verdict="random", text=f"two identical calls of {roles} differ{where}",
                          subject=result.random[-1])  # fmt: skip
        twice = case.model_copy(update={"calls": case.calls * 2})
        self._add("random", finding, twice, case.name)

    def _training(self) -> None:
        """Batch norm in training mode may give the same in all models, and is still not what anybody deploys."""
        norms = batch_norms(self._program.calls) if self._program is not None else []
        if norms:
            self._failures["training"] = Failure(
                verdict="training mode",
                text=f"batch norm is in training mode in {causes.places(norms)}: each output depends on the whole "
                "batch, and each call changes the running statistics",
                subject="program",
                why="call .eval() on the model before torch.export.export; a program cannot be switched afterwards",
            )

    def _writes(self, case: Case, result: Result) -> None:
        if self._program is None or self._opened.mutates:
            return
        for role, calls in result.calls.items():
            for index in {index for call in calls for index in call.written} - self._written:
                item = self._program.inputs[index]
                if role != "module" and not item.mutated:
                    self._written.add(index)
                    self._failures["write", index] = Failure(
                        verdict="undeclared write",
                        text=f"the {role} changes the argument {item.path}, and nothing in the program says so",
                        subject=role,
                        why=self._custom() and f"{self._custom()} changes an argument that its mutates_args, or its "
                        "schema, does not name",
                        case=case, smallest=case.name, cases=(case.name,), code=self._code(case),
                    )  # fmt: skip

    def _custom(self) -> str:
        return ", ".join(self._program.custom_ops) if self._program is not None else ""

    def _failed(self, case: Case, finding: Finding) -> None:
        scalar = case.change.input if case.kind == "scalar" and case.change is not None else None
        key = (finding.verdict, finding.subject, scalar, finding.call > 0)
        known = self._failures.get(key)
        if known is not None:
            self._failures[key] = known.model_copy(update={"cases": (*known.cases, case.name)})
            return
        best = finding

        def fails(smaller: Case) -> bool:
            nonlocal best
            self._options.tell(f"making it smaller: {in_words(self._space, smaller)}")
            found = judge(smaller, self._run(smaller))
            if (found.verdict, found.subject) == (finding.verdict, finding.subject):
                best = found
                return True
            return False

        smallest = shrink(self._space, case, fails, BUDGETS.get(finding.verdict, 24))
        self._add(key, best, smallest, case.name)

    def _add(self, key: object, finding: Finding, case: Case, name: str) -> None:
        self._failures[key] = Failure(
            verdict=finding.verdict,
            text=finding.text,
            subject=finding.subject,
            reference=finding.reference,
            why=causes.why(self._space, case, finding, self._program),
            case=case,
            smallest=in_words(self._space, case),
            cases=(name,),
            code=self._code(case, heap=finding.verdict == "crash"),
        )

    def _code(self, case: Case, heap: bool = False) -> str:
        return snippet(self._space, case, self._options.asked, self._opened, heap)


def beyond(finding: Finding, result: Result | Died) -> tuple[Finding, bool]:
    """What a case outside the contract came to, and whether something wrong came back without a word."""
    if isinstance(result, Died):
        return finding, False
    roles: list[Role] = list(result.calls)
    subject = roles[-1]
    errors = {role: next((call for call in result.calls[role] if call.error), None) for role in roles}
    own = errors[subject]
    if own is not None:
        first = own.text.partition("\n")[0][:200]
        return Finding(verdict="rejected", subject=subject, text=f"{own.error}: {first}"), False
    if result.unguarded and roles[-1] == "package":
        return difference(result) or Finding(verdict="agrees", subject=subject), bool(result.differences)
    if all(errors[role] is not None for role in roles[:-1]):
        refused = errors[roles[-2]]
        text = f"{refused.error}: {refused.text.partition(chr(10))[0][:200]}" if refused is not None else ""
        return Finding(verdict="accepts", subject=subject, reference=roles[-2], text=text), True
    return finding, bool(result.differences)


def in_words(space: Space, case: Case) -> str:
    """A case as one would say it."""
    parts = []
    for index, call in enumerate(case.calls[:3] if len({str(c) for c in case.calls}) > 1 else case.calls[:1]):
        shapes = [f"{item.path} {space.shape(item, call.sizes)}" for _, item in space.tensors()]
        parts.append((f"call {index + 1}: " if len(case.calls) > 1 else "") + ", ".join(shapes[:6]))
    text = "; ".join(parts)
    if len(case.calls) > 1 and len(parts) == 1:
        text = f"{len(case.calls)} calls with {text.removeprefix('call 1: ')}"
    special = {"normal": "", "example": "the example inputs"}.get(case.values, case.values)
    extra = [word for word in (special, "" if case.layout == "plain" else f"{case.layout} memory",
                               case.name if case.kind == "scalar" else "") if word]  # fmt: skip
    return "; ".join([text, *extra]) if text else "; ".join(extra) or case.name
