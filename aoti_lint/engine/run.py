"""One run: the document of what is found in its files."""

from __future__ import annotations

import os

from aoti_lint.engine.analysis import Analysis
from aoti_lint.files import opener
from aoti_lint.report.document import problem_entry
from aoti_lint.source.discovery.discover import relative
from aoti_lint.text.problem import SourceProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from aoti_lint.diagnostics import Diagnostic
    from aoti_lint.machine.facts import Facts
    from aoti_lint.torch_api.target import Target


class Run(Analysis):
    """The files of one run, and what is found in them."""

    def document(self) -> dict[str, Any]:
        """What is found, without what `complete` adds."""
        facts, _, document = self.judged(events=self.options.coverage)
        if self.options.coverage:
            from aoti_lint.coverage.document import coverage

            document["coverage"] = coverage(facts, self.name)
        return document

    def judged(self, *, events: bool) -> tuple[Facts | None, list[Diagnostic], dict[str, Any]]:
        """What was told, what is found in that and shown, and the document of it, without what `complete` adds.

        There is nothing told (None) where there was nothing to analyse, and not all of it where no `events` are wanted.
        """
        with self._timer.during("step", "load the rules"):
            from aoti_lint.catalogue.registry import load
            from aoti_lint.findings.findings import Findings
            from aoti_lint.findings.judging import Judging

            registry = load(self.glances.once)
        target = self.target()
        found = self.found
        judging = Judging(self.options, registry, self._timer)
        facts = None
        if self.project.matters or found.archives or found.settings:
            facts = self.facts(target, judging=None if events else judging)
        findings = Findings(self.project, self.options, registry, found.archives, self._timer, judging)
        found_now = findings.of(facts)
        if self.standing is not None:
            problems = (*self.project.problems, *self._unread, *self._broken, *self.archives[1])
            found_now = self.standing.new(found_now, findings, {problem.path for problem in problems})
        document = findings.document(found_now, self.name)
        if self.standing is not None:
            self.standing.count(document["summary"])
        document["torch"] = {"versions": list(target.versions), "origin": target.origin, "below": self._below(target)}
        if len(target.versions) > 1 and (self.options.torch_version or self.options.config.torch_version):
            from aoti_lint.report.check.upgrade import upgrade

            document["upgrade"] = upgrade(document["diagnostics"], list(target.versions))
        document["summary"]["notes"] = [*target.notes, *(facts.notes if facts is not None else ())]
        return facts, findings.shown(found_now), document

    def _below(self, target: Target) -> list[dict[str, Any]]:
        """The folders with other versions, of those in or below which something was analysed."""
        analysed = [*self.project.reported, *self.project.telling]
        return [
            {"folder": self.name(folder), "versions": list(own.versions), "origin": own.origin}
            for folder, own in target.below.items()
            if any(path.startswith(f"{folder}/") for path in analysed)
        ]

    def complete(self, document: dict[str, Any]) -> None:
        """Add the files: which were looked at, which could not be, and which were not."""
        if self.options.shard is not None:
            number, count = self.options.shard
            document["shard"] = {"number": number, "of": count}
        files, archives, settings = map(self._own, (self.found.files, self.found.archives, self.found.settings))
        named = {*self.found.files, *self.found.settings} - self._lying
        for problem in (*self.found.problems, *self._of_sources(), *self._unread):
            if problem.path in named and not self.project.owns(problem.path):
                continue
            if problem.path in named or problem in self.found.problems:
                document["errors"].append(problem_entry(problem, self.project.source, self.name))
            else:
                document["skipped"].append({"filename": self.name(problem.path), "reason": problem.message})
        wrong = [*(one for one in self.archives[1] if self.project.owns(one.path)), *self._broken]
        document["errors"] += [problem_entry(problem, self.project.source, self.name) for problem in wrong]
        document["skipped"] += [{"filename": name, "reason": reason} for name, reason in self.found.skipped]
        document["summary"]["notes"] += self._passed_over({*named, *self.found.archives})
        summary = document["summary"]
        if self.standing is not None and not self.standing.baseline.is_there and not self.options.rewrites:
            name = self.name(self.standing.baseline.path)
            summary["notes"].append(f"{name}: there is no such baseline; --write-baseline writes it")
        if self.cache is not None and self.options.cache_dir:
            if self.cache.refused:
                summary["notes"].append(f"--cache-dir {self.options.cache_dir} is not used: {self.cache.refused}")
            elif self.cache.unkept:
                summary["notes"].append(f"--cache-dir {self.options.cache_dir} keeps nothing new: {self.cache.unkept}")
        summary["files"] = len(files) + len(archives) + len(settings)
        told = {relative(os.path.abspath(one["filename"]), self.found.root) for one in document["diagnostics"]}
        unread = {one.path for one in self._of_sources()} - told
        told.update(self.project.reported, self.project.telling)
        sources = sum(path in told for path in files if path not in unread)
        read = [*(one.path for one in self.archives[0]), *(one.path for one in self.settings)]
        summary["analysed"] = sources + len(self._own(read))
        summary["copies"] = len(self._own(sorted(self.project.copied)))
        summary["quiet"] = sum(path not in unread for path in files) - sources - summary["copies"]
        summary["context"] = len(self.project.content_hashes().keys() - named - self._lying)

    def tell_of_unnamed(self, document: dict[str, Any]) -> None:
        """Add which files were not read that would count. Asked anew each time: nothing that is kept hangs on them."""
        if self.found.unnamed and document["summary"]["analysed"]:
            from aoti_lint.engine.unnamed import unnamed

            told = unnamed(self.found.root, self.found.unnamed, set(self.found.files), self.name)
            document["summary"]["notes"] += [] if told is None else [told]

    def _of_sources(self) -> Iterator[SourceProblem]:
        """What is wrong with the sources, and so with their copies."""
        for problem in self.project.problems:
            yield problem
            for path in self.project.copies.get(problem.path, ()):
                yield SourceProblem(path, problem.message, problem.offset)

    def _passed_over(self, named: set[str]) -> list[str]:
        """What was to be read beside the named files and was not, as it is no file or too large."""
        absolute = {os.path.join(self.found.root, path) for path in named}
        return [
            f"{self.name(path)} was passed over: {why}"
            for path, why in opener.refused().items()
            if path not in absolute
        ]
