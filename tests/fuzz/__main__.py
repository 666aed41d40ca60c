"""Runs very many cases: `python -m tests.fuzz --sources 20000 --archives 10000 --others 5000 --seed 1`.

Prints counts, faults (one of each place), the slowest, and the peak of memory. What failed is made small and kept in
`found`, which the tests replay, unless `--no-keep`. Ctrl-C ends it, and prints what it came to. The exit code is 1
where anything failed.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from tests.fuzz.case import Case, Fault, Outcome
from tests.fuzz.kinds import GROUPS, made
from tests.fuzz.minimise import minimised
from tests.fuzz.subject import difference
from tests.fuzz.watch import Subject

FRESH = 16
"""One case in so many is run again, in a process that has run no other, and twice in its first one."""
SLOW = 5.0


class Run:
    """What came of the cases so far."""

    def __init__(self, seed: int, keep: bool) -> None:
        self.seed, self.keep = seed, keep
        self.cases: Counter[str] = Counter()
        self.codes: Counter[tuple[str, int]] = Counter()
        self.faults: Counter[tuple[str, str]] = Counter()
        self.first: dict[tuple[str, str], tuple[str, int, Fault]] = {}
        self.seconds: dict[str, float] = {}
        self.peaks: dict[str, int] = {}
        self.slowest: list[tuple[float, str, str, int]] = []
        self.compared = 0
        self.ended = False

    def part(self, group: str, numbers: range) -> None:
        """Run the cases of these numbers."""
        with Subject() as warm, Subject(forks=True, seed=1) as fresh:
            for number, outcome in warm.run_all(group, self.seed, numbers, FRESH):
                if self.ended:
                    return
                if number and number % 1000 == 0:
                    print(f"{group}: {number}", file=sys.stderr, flush=True)
                case = made(group, self.seed, number)
                faults = list(outcome.faults)
                if number % FRESH == 0 and not faults:
                    self.compared += 1
                    other = fresh.run(case)
                    faults += other.faults or differing(case, outcome, other)
                self.cases[case.kind] += 1
                self.codes.update((case.kind, answer[0]) for answer in outcome.answers)
                self.seconds[case.kind] = self.seconds.get(case.kind, 0) + outcome.seconds
                self.peaks[case.kind] = max(self.peaks.get(case.kind, 0), outcome.peak)
                self.slowest = sorted([*self.slowest, (outcome.seconds, case.kind, group, number)], reverse=True)[:12]
                for fault in faults:
                    self._note(fault, case, group, number, fresh)

    def _note(self, fault: Fault, case: Case, group: str, number: int, subject: Subject) -> None:
        key = fault.what, fault.place
        self.faults[key] += 1
        if key in self.first:
            return
        self.first[key] = group, number, fault
        print(f"{fault.what}: {fault.place} ({case.kind}, --only {group} {number})", flush=True)
        if self.keep:
            small = case if fault.what == "differs" else minimised(case, fault, subject)
            print(f"  kept: {small.keep()}", flush=True)

    def print(self, wall: float) -> None:
        """All of it."""
        cases = sum(self.cases.values())
        print(f"\nseed {self.seed}: {cases} cases in {wall:.0f} s, {self.compared} of them also twice and afresh")
        for kind in sorted(self.cases):
            codes = ", ".join(f"{code}: {times}" for (name, code), times in sorted(self.codes.items()) if name == kind)
            rate = 1000 * self.seconds[kind] / self.cases[kind]
            peak = self.peaks[kind] >> 20
            print(f"  {kind:10} {self.cases[kind]:6}  {rate:5.0f} ms each, peak {peak} MiB, exit codes {codes}")
        print(
            "slowest: "
            + "; ".join(
                f"{s:.1f} s {kind} (--only {group} {number})" for s, kind, group, number in self.slowest if s > 1
            )
        )
        kinds = Counter[str]()
        for (what, _), times in self.faults.items():
            kinds[what] += times
        print("faults: " + (", ".join(f"{times} {what}" for what, times in kinds.most_common()) or "none"))
        for (what, place), times in self.faults.most_common():
            group, number, _ = self.first[what, place]
            print(f"  {times:5} {what}: {place} (--only {group} {number})")


def differing(case: Case, one: Outcome, other: Outcome) -> list[Fault]:
    """What differs between the answers of two processes."""
    return [
        Fault("differs", f"{case.kind}: between processes", difference(first, second), tuple(command))
        for command, first, second in zip(case.commands, one.answers, other.answers, strict=False)
        if first != second
    ]


def main() -> int:
    """Run what the arguments say."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    for group in GROUPS:
        parser.add_argument(f"--{group}", type=int, default=0, metavar="N", help="cases of this group")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--no-keep", dest="keep", action="store_false", help="do not keep what fails")
    parser.add_argument("--only", nargs=2, metavar=("GROUP", "NUMBER"), help="run one case, and say everything of it")
    arguments = parser.parse_args()
    if arguments.only:
        return _only(arguments.only[0], arguments.seed, int(arguments.only[1]))
    run = Run(arguments.seed, arguments.keep)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: setattr(run, "ended", True))
    start = time.monotonic()
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for group in GROUPS:
            count = getattr(arguments, group)
            for done in [
                pool.submit(run.part, group, range(first, count, arguments.jobs)) for first in range(arguments.jobs)
            ]:
                done.result()
    run.print(time.monotonic() - start)
    return 1 if run.faults else 0


def _only(group: str, seed: int, number: int) -> int:
    case = made(group, seed, number)
    with Subject() as warm, Subject(forks=True, seed=1) as fresh:
        outcome, other = warm.run(case, twice=True), fresh.run(case)
    print(case.to_json()[:6000])
    faults = [*outcome.faults, *other.faults, *differing(case, outcome, other)]
    for answer in outcome.answers:
        print(*answer, sep="\n")
    for fault in faults:
        print(f"{fault.what}: {fault.place}\n{fault.text}")
    print(f"{outcome.seconds:.2f} s, {outcome.peak >> 20} MiB")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
