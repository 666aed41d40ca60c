"""Judges random scripts: `python -m tests.random_scripts --scripts 16000 --seed 1`.

Prints how many work in torch, what of the others is found, and what is said of those that work, by rule. Each script
of which the linter wrongly says that it fails is kept, made small, in the folder of `--keep`. The exit code is 1 where
there was one. Ctrl-C ends it, and prints what it came to.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections import Counter
from pathlib import Path

from tests import warm
from tests.random_scripts.judge import Judge, Verdict
from tests.random_scripts.minimise import minimised
from tests.random_scripts.outcomes import Outcomes
from tests.random_scripts.scripts import script


class Tally:
    """The counts of a run."""

    def __init__(self) -> None:
        self.works = self.found = self.missed = 0
        self.false: dict[str, Counter[str]] = {"error": Counter(), "warning": Counter()}
        self.claims: Counter[str] = Counter()
        self.hits: Counter[str] = Counter()
        self.failures: Counter[str] = Counter()
        self.seconds = 0.0
        self.ended = False

    def add(self, verdict: Verdict) -> None:
        self.seconds += verdict.ended.seconds
        if not verdict.ended.works:
            self.failures[verdict.ended.error] += 1
            self.found += bool(verdict.said)
            self.missed += not verdict.said
            self.hits.update({one.code for one in verdict.said})
            return
        self.works += 1
        for one in verdict.said:
            if verdict.elsewhere(one):
                self.claims[f"{one.code} elsewhere"] += 1
            elif one.raises:
                self.false[one.severity][one.code] += 1
            else:
                self.claims[f"{one.code} {one.outcome}"] += 1

    def text(self) -> str:
        """All of it, as lines."""

        def listed(counts: Counter[str]) -> str:
            return ", ".join(f"{name} {count}" for name, count in counts.most_common()) or "none"

        failed = self.found + self.missed
        scripts = self.works + failed
        each = self.seconds / max(scripts, 1)
        errors, warnings = self.false["error"], self.false["warning"]
        return "\n".join(
            [
                f"{scripts} scripts, {each:.2f} CPU seconds each in torch: {self.works} work, {failed} fail",
                f"of those that fail: {self.found} found, {self.missed} missed",
                f"  failures: {listed(self.failures)}",
                f"  rules: {listed(self.hits)}",
                f"of those that work: {errors.total()} false errors, {warnings.total()} false warnings",
                f"  errors: {listed(errors)}",
                f"  warnings: {listed(warnings)}",
                f"  said of those that work, and not that they fail: {listed(self.claims)}",
            ]
        )


def story(verdict: Verdict, text: str) -> str:
    """A script to keep, with what was said of it and what happened."""
    ended = verdict.ended
    lines = [f"# {one.severity} {one.code} at {one.row}: {one.message} ({one.outcome})" for one in verdict.said]
    lines.append(f"# torch: {ended.error or 'works'} at {list(ended.rows)}: {' '.join(ended.message.split())[:300]}")
    return "\n".join([*lines, text])


def main() -> int:
    """Run what the arguments say."""
    parser = argparse.ArgumentParser(prog="python -m tests.random_scripts", description=__doc__)
    parser.add_argument("--scripts", type=int, default=500, help="how many scripts (default: 500)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first script")
    parser.add_argument("--packages", type=int, default=200, help="one script in so many compiles a package")
    parser.add_argument("--keep", type=Path, help="the folder for scripts that are wrongly said to fail")
    parser.add_argument("--misses", type=Path, help="a folder for those that fail and of which nothing is said")
    parser.add_argument("--claims", type=Path, help="a folder for those that work and of which something else is said")
    parser.add_argument("--outcomes", type=Path, help="a file of how scripts ended in torch: read, and added to")
    parser.add_argument("--torch-only", action="store_true", help="run scripts for that file, and read none")
    parser.add_argument("--suspects", action="store_true", help="run those only that are said to fail")
    parser.add_argument("--only", type=int, help="print one script, and what is said of it")
    parser.add_argument("--no-minimise", action="store_true", help="keep scripts as they are")
    arguments = parser.parse_args()
    numbers = range(arguments.first, arguments.first + arguments.scripts)
    if arguments.only is not None:
        numbers = range(arguments.only, arguments.only + 1)
    for folder in (arguments.keep, arguments.misses, arguments.claims):
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
    if not arguments.torch_only:
        warm.check()
    tally = Tally()
    for signaled in (signal.SIGINT, signal.SIGTERM):
        signal.signal(signaled, lambda *_: setattr(tally, "ended", True))
    with Judge(Outcomes(arguments.outcomes), reads=not arguments.torch_only, suspects=arguments.suspects) as judge:
        scripts = ((number, script(arguments.seed, number, arguments.packages)) for number in numbers)
        for verdict in judge.all(scripts):
            tally.add(verdict)
            if tally.ended:
                break
            name = f"{arguments.seed}_{verdict.number}.py"
            if arguments.only is not None:
                print(story(verdict, verdict.text))
            if verdict.false:
                one = verdict.false[0]
                print(f"{verdict.number}: {one.severity} {one.code} at {one.row}: {one.message}", flush=True)
                if arguments.keep:
                    small = verdict if arguments.no_minimise else minimised(verdict)
                    arguments.keep.joinpath(f"{one.severity}_{one.code}_{name}").write_text(
                        story(small, small.text), "utf-8"
                    )
            elif arguments.misses and not verdict.ended.works and not verdict.said:
                arguments.misses.joinpath(f"{verdict.ended.error}_{name}").write_text(
                    story(verdict, verdict.text), "utf-8"
                )
            elif arguments.claims and verdict.ended.works and verdict.said:
                arguments.claims.joinpath(f"{verdict.said[0].code}_{name}").write_text(
                    story(verdict, verdict.text), "utf-8"
                )
            if (verdict.number + 1) % 1000 == 0:
                print(f"{verdict.number + 1}: {tally.works} work", file=sys.stderr, flush=True)
    print(f"seed {arguments.seed}: {tally.text()}")
    return 1 if tally.false["error"] or tally.false["warning"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
