"""One run, from paths to a document. Imports what is heavy only when there is something to analyse.

Whole, as its steps all ask the one run what it has found so far.
"""

from __future__ import annotations

import gc
import os
from contextlib import contextmanager, nullcontext
from functools import cached_property

from aoti_lint.engine.kept import Kept
from aoti_lint.engine.named import STDIN, Named
from aoti_lint.files import opener
from aoti_lint.files.cache import Cache, content_hash, user_folder
from aoti_lint.files.opener import read_file, source_kind
from aoti_lint.profile import OFF, Timer
from aoti_lint.report.document import empty_document, problem_entry
from aoti_lint.report.lines import Lines
from aoti_lint.source.discovery.archives import stamp
from aoti_lint.source.discovery.discover import OTHER, others_in, relative
from aoti_lint.source.interest.needles import interesting, may_suppress
from aoti_lint.source.project import Project
from aoti_lint.source.remembered.glances import Glances
from aoti_lint.text.problem import SourceProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import Any

    from aoti_lint.diagnostics import Diagnostic, Span
    from aoti_lint.engine.run_cache import RunCache
    from aoti_lint.findings.judging import Judging
    from aoti_lint.findings.standing import Standing
    from aoti_lint.linking.analysis import Judge
    from aoti_lint.machine.facts import Facts
    from aoti_lint.machine.units import Units
    from aoti_lint.options import Options
    from aoti_lint.program.named import NamedArchive
    from aoti_lint.source.discovery.ignores import Patterns
    from aoti_lint.source.settings.model import Assignment, Settings
    from aoti_lint.torch_api.target import Target


class Report:
    """The result of a run: its document (see `json_v1`), the source lines it speaks of, and the files it was about.

    `name` gives the path of a file as the user knows it. `standing` is what became of the baseline, `cache` is where
    things are remembered, each if there is one; `remembered` says whether nothing had to be done.
    """

    __slots__ = ("cache", "document", "files", "line", "name", "remembered", "root", "standing")

    def __init__(self, document: dict[str, Any], line: Lines, run: Run, *, remembered: bool) -> None:
        self.document, self.line, self.files, self.name = document, line, run.files(), run.name
        self.root, self.standing, self.cache, self.remembered = run.found.root, run.standing, run.cache, remembered


def check(
    options: Options,
    while_busy: Callable[[], AbstractContextManager[object]] | None = None,
    timer: Timer = OFF,
    kept: Kept | None = None,
) -> Report:
    """Check what the options name.

    `while_busy` makes a context manager that is entered only if there is something to analyse; a `timer` that is on
    learns where the time goes, and then no run is remembered: there would be nothing to learn. `kept` is from earlier
    checks of the same. Raises `CannotRun` when the options ask for what cannot be.
    """
    try:
        with timer.during("step", "check"):
            run = Run(options, timer, kept)
            memory = None if timer.is_on else run.memory()
            document, keeps = None, memory is not None
            if memory is not None:
                document = memory.get(run.found.root, run.found.files, run.exclude, run.glances)
            remembered = document is not None
            if document is None:
                has_work = run.has_work
                keeps = keeps or has_work or bool(run.project.others)
                if not has_work:
                    run.check_usage()
                    document = empty_document()
                    if options.coverage:
                        from aoti_lint.coverage.document import coverage

                        document["coverage"] = coverage(None, run.name)
                else:
                    with nullcontext() if while_busy is None else while_busy(), _few_collections():
                        document = run.document()
                run.complete(document)
                if memory is not None:
                    # What was saved during the run is judged again.
                    run.glances.ask_again()
                    memory.put(document, run.project.dependencies(), run.contents())
            if keeps:
                run.glances.end()
            run.tell_of_unnamed(document)
    finally:
        opener.forget()
    lines = Lines(options.stdin, options.stdin_filename or STDIN)
    return Report(document, lines, run, remembered=remembered)


@contextmanager
def _few_collections() -> Iterator[None]:
    """Sources and values are many, live long and hold no cycles: looking for these costs a fifth of an analysis."""
    before = gc.get_threshold()
    gc.set_threshold(100_000, 20, 1_000)
    try:
        yield
    finally:
        gc.set_threshold(*before)


class Run:
    """The files of one run, and what is found in them."""

    def __init__(self, options: Options, timer: Timer = OFF, kept: Kept | None = None, *, alone: bool = False) -> None:
        """`alone`: nothing is analysed for its own sake that was not named."""
        self.options, self._timer, self._kept = options, timer, kept or Kept()
        self.exclude = [*options.config.exclude, *options.exclude]
        self._folder = os.getcwd()
        self._project: Project | None = None
        self._target: Target | None = None
        self._archives: tuple[list[NamedArchive], list[SourceProblem]] | None = None
        self._settings: list[Settings] | None = None
        self._unread: list[SourceProblem] = []
        """What is wrong with the settings."""
        named = Named(options, self.exclude, None if self._kept.contents is None else self._kept.buffers)
        self.found, self._overlay = named.found, named.overlay
        self.standing: Standing | None = None
        if options.baseline is not None:
            from aoti_lint.findings.standing import Standing

            self.standing = Standing(options.baseline, self.found.root)
        self._listed: list[str] = []
        """The files of the project, where not all of it was named."""
        found = named.found
        if (found.files or found.settings or found.data) and not (found.whole or options.shard or alone):
            self._listed = others_in(named.found.root, self.exclude)
        self.cache = self._open_cache() if options.cache else None
        self.glances = Glances(self.found.root, self._overlay, self.cache, self._kept.contents)
        if not alone and (found.data or (found.settings and not found.whole)):
            self._name_takers()

    @property
    def project(self) -> Project:
        """The sources of the run."""
        if self._project is None:
            self._project = self._sources()
            if self._project.others:
                from aoti_lint.source.ties.neighbours import neighbours

                self._project.take_along(neighbours(self._project))
            reported = self._project.reported
            if len({*map(self._project.glance, reported)}) < len(reported):
                from aoti_lint.source.ties.copies import copies

                self._project.join(copies(self._project, self._judged_as))
            if self.options.shard is not None:
                from aoti_lint.source.ties.shards import share

                self._project.keep(share(self._project, self.found.archives, *self.options.shard))
        return self._project

    def _sources(self) -> Project:
        return Project(
            self.found.root,
            self.found.files,
            settings=self.found.settings,
            cache=self.cache,
            overlay=self._overlay,
            exclude=self.exclude,
            others=self._listed,
            kept=self._kept.contents,
            glances=self.glances,
            timer=self._timer,
        )

    def _name_takers(self) -> None:
        """What takes something from a named file that is no source is checked as if it was named, too."""
        from aoti_lint.source.ties.takers import takers

        found = self.found
        scripts = takers(self._sources(), [*found.settings, *found.data])
        found.files = sorted({*found.files, *(one for those in scripts.values() for one in those)})
        found.skipped += [(self.name(path), OTHER) for path in found.data if not scripts[path]]

    def _judged_as(self, path: str) -> Hashable:
        """How a file is judged, besides by its text: for which versions, and without which rules."""
        from aoti_lint.torch_api.target import nearest

        near, absolute = nearest(self.target().below, path), os.path.join(self.found.root, path)
        versions = None if near is None else (*near.versions, near.stated)
        return versions, tuple(patterns.verdict(absolute, False) for patterns in self._ignoring)

    @cached_property
    def _ignoring(self) -> list[Patterns]:
        from aoti_lint.source.discovery.ignores import Patterns

        return [Patterns(self.found.root, [pattern]) for pattern in self.options.config.per_file_ignores]

    @property
    def has_work(self) -> bool:
        """Whether any file has something to analyse, comments to judge, or findings that stood already."""
        if self.found.archives or self.found.settings or self.project.matters or self.options.rewrites:
            return True
        if self.standing is not None and self.standing.speaks_of(self._own(self.found.files)):
            return True
        data = self.project.data
        return self.options.ignores and any(may_suppress(data(path) or b"") for path in self._own(self.found.files))

    def check_usage(self) -> None:
        """Raise `CannotRun` for rules or versions on the command line that do not exist, when nobody asks for them."""
        options = self.options
        if options.torch_version is not None or options.python is not None:
            self.target()
        if options.select or options.extend_select or options.ignore:
            from aoti_lint.catalogue.registry import load
            from aoti_lint.catalogue.selection import levels, selected

            selected(load(), levels(options))

    def memory(self) -> RunCache | None:
        """Where the document of this run is remembered.

        None if that is not wanted, not worth it, or not safe, as nobody knows what a third-party rule reads.
        """
        found = self.found
        if self.cache is None or self._kept.contents is not None or self._overlay or self.options.rewrites:
            return None
        if not (found.files or found.archives or found.settings):
            return None
        speaking = any(interesting(data or b"") for data in map(self._read, found.files))
        if not (found.archives or found.settings or speaking or self._beside):
            return None
        from aoti_lint.catalogue.plugins import any_installed
        from aoti_lint.engine.run_cache import Places, RunCache

        if any_installed():
            return None
        target = self.target()
        places = Places(self.cache, found.root, self._folder, map(self._read, found.settings))
        config = self.options.config.path
        call = [places.root, places.of(self._folder), config and places.of(config), found.files, found.archives,
                found.settings, found.skipped, list(map(str, found.problems)), self.exclude, list(target.versions),
                target.origin, target.notes,
                [(folder, list(own.versions), own.origin) for folder, own in target.below.items()],
                [(places.of(one), why) for one, why in opener.refused().items()], self._beside,
                self.standing and self.standing.state(), *self.options.judging()]  # fmt: skip
        return RunCache(self.cache, call, self.contents())

    @property
    def _beside(self) -> list[str]:
        """The files that are analysed with the named ones."""
        return self.project.beside if self._listed else []

    def contents(self) -> str:
        """A hash of what the named files hold now."""
        named = [*self.found.files, *self.found.settings]
        hashes = [known or "" for known in map(self.glances.content, named)]
        if self.found.archives:
            hashes += [stamp(os.path.join(self.found.root, path)) for path in self.found.archives]
            # A script that is newer than what it writes makes what is said of that a guess.
            hashes += map(self._time, self.found.files)
        return content_hash("\n".join(hashes).encode())

    def target(self) -> Target:
        """The torch versions to judge for."""
        if self._target is None:
            from aoti_lint.torch_api.target import find_target

            self._target = find_target(
                self.found.root,
                torch_version=self.options.torch_version,
                config_version=self.options.config.torch_version,
                config_path=self.options.config.path,
                python=self.options.python,
                files=[*self.found.files, *self._listed],
            )
        return self._target

    def facts(self, target: Target, *, silences: bool = False, judging: Judging | None = None) -> Facts:
        """The analysis of the files, and what the archives say; `silences`: with all that was not followed.

        With what `judging` finds in them: then they may lack what it finds that in.
        """
        if self.project.matters:
            facts = self._analysis(target, silences, None if judging is None else self._judge(target, judging))
        else:
            from aoti_lint.machine.facts import Facts

            facts = Facts(self.project, target.versions, versions_stated=target.stated, archives=self.archives[0])
            facts.environment = dict(self.options.environment)
        facts.notes += [self._gap(span) for one in self.settings for span in one.gaps[:1]]
        own = {*self._own(self.found.files)}
        told = [one for one in sorted(facts.unread, reverse=True) if one.span.path in own]
        there = {*facts.written, *map(os.path.basename, opener.refused())}
        unread = {one.file: one for one in told if os.path.basename(one.file) not in there}
        facts.notes += [f"{self._row(one.span)}: {one.file} {one.why}" for one in sorted(unread.values())]
        return self._told(facts, target)

    def _told(self, facts: Facts, target: Target) -> Facts:
        """The facts, with what the user says of them."""
        facts.assignments = [made for one in self.settings for made in one.assignments]
        facts.versions_installed = target.installed
        facts.machine, facts.gate = self.options.config.target, self.options.config.package
        return facts

    def _judge(self, target: Target, judging: Judging) -> Judge:
        from aoti_lint.catalogue.plugins import any_installed
        from aoti_lint.linking.analysis import Judge

        settings = [self.project.content(path) for path in self.found.settings]
        told = repr([target.installed, settings, self.options.judging()])
        name = content_hash(told.encode("utf-8", "surrogatepass"))
        # Archives are compared with their sources by their times, and nobody knows what a third-party rule reads.
        is_kept = not self.found.archives and not any_installed()
        return Judge(lambda facts: judging.found(self._told(facts, target)), name, is_kept)

    def _gap(self, span: Span) -> str:
        return f"{self._row(span)}: not understood as shell: whether the file sets what it says is not known"

    def _row(self, span: Span) -> str:
        source = self.project.source(span.path)
        return f"{self.name(span.path)}:{1 if source is None else source.lines.position(span.start)[0]}"

    @property
    def archives(self) -> tuple[list[NamedArchive], list[SourceProblem]]:
        """The named archives that could be read, and what is wrong with these and the others."""
        if self._archives is None:
            self._archives = [], []
            if self.found.archives:
                from aoti_lint.program.named import read_archives

                self._archives = read_archives(self.found.root, self.found.archives)
        return self._archives

    @property
    def settings(self) -> list[Settings]:
        """What the named files outside Python set, of those that could be read."""
        if self._settings is None:
            self._settings = []
            if self.found.settings:
                from aoti_lint.source.settings.read import read_all

                self._settings, self._unread = read_all(self.project, self.found.settings)
        return self._settings

    def _analysis(self, target: Target, silences: bool, judge: Judge | None) -> Facts:
        from aoti_lint.machine.recording import Restart

        with _few_collections():
            while True:
                try:
                    return self._analysed(target, silences, judge)
                except Restart:
                    # What was known of earlier runs led astray: what this one has read of files is read again.
                    self._project, self._settings, self._unread = None, None, []

    def _analysed(self, target: Target, silences: bool, judge: Judge | None) -> Facts:
        from aoti_lint.linking.analysis import analyse

        outside = {}
        if self.settings:
            from aoti_lint.source.settings.scripts import started

            outside = started(self.project, self.settings)
        try:
            return analyse(
                self.project,
                target.versions,
                stated=target.stated,
                below=target.below,
                archives=self.archives[0],
                environment=self.options.environment,
                outside=outside,
                units=self._units(target, outside),
                judge=judge,
                silences=silences,
                timer=self._timer,
            )
        finally:
            self.project.remember()

    def _units(self, target: Target, outside: Mapping[str, Mapping[str, Assignment]]) -> Units | None:
        """What is known of earlier runs that nothing but files can make different from this one."""
        from aoti_lint.engine.run_cache import Places
        from aoti_lint.machine.units import Units

        in_session = self._kept.contents is not None
        if self._timer.is_on or (self.cache is None and not in_session):
            return None
        root, cache = self.found.root, None if in_session else self.cache
        if cache is not None:
            root = Places(cache, root, self._folder, map(self._read, self.found.settings)).root
        archives = [stamp(os.path.join(self.found.root, path)) for path in self.found.archives]
        below = [(path, list(t.versions), t.stated) for path, t in target.below.items()]
        call = [root, list(target.versions), target.stated, below, self.options.environment, outside, archives,
                self.exclude]  # fmt: skip
        key = content_hash(repr(call).encode("utf-8", "surrogatepass"))
        return self._kept.units(key, lambda: Units(cache, key, stays=in_session))

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

            registry = load()
        target = self.target()
        found = self.found
        judging = Judging(self.options, registry, self._timer)
        facts = None
        if self.project.matters or found.archives or found.settings:
            facts = self.facts(target, judging=None if events else judging)
        findings = Findings(self.project, self.options, registry, found.archives, self._timer, judging)
        found_now = findings.of(facts)
        if self.standing is not None:
            problems = (*self.project.problems, *self._unread, *self.archives[1])
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
        analysed = [*self.project.reported, *self.project.registering]
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
        named = {*self.found.files, *self.found.settings}
        for problem in (*self.found.problems, *self._of_sources(), *self._unread):
            if problem.path in named and not self.project.owns(problem.path):
                continue
            if problem.path in named or problem in self.found.problems:
                document["errors"].append(problem_entry(problem, self.project.source, self.name))
            else:
                document["skipped"].append({"filename": self.name(problem.path), "reason": problem.message})
        for problem in self.archives[1]:
            if self.project.owns(problem.path):
                document["errors"].append(problem_entry(problem, self.project.source, self.name))
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
        told.update(self.project.reported, self.project.registering)
        sources = sum(path in told for path in files)
        read = [*(one.path for one in self.archives[0]), *(one.path for one in self.settings)]
        summary["analysed"] = sources + len(self._own(read))
        summary["copies"] = len(self._own(sorted(self.project.copied)))
        summary["quiet"] = len(files) - sources - summary["copies"]
        summary["context"] = len(self.project.content_hashes().keys() - named)

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

    def _own(self, paths: Sequence[str]) -> list[str]:
        """Those of the named files that this run, or this shard of it, reports."""
        return list(filter(self.project.owns, paths))

    def files(self) -> list[str]:
        """The absolute paths of all that was named or found below it, and of the configuration."""
        found = self.found
        named = [*found.files, *found.archives, *found.settings, *(problem.path for problem in found.problems)]
        config = self.options.config.path
        return [*(os.path.join(found.root, path) for path in named), *([] if config is None else [config])]

    def _passed_over(self, named: set[str]) -> list[str]:
        """What was to be read beside the named files and was not, as it is no file or too large."""
        absolute = {os.path.join(self.found.root, path) for path in named}
        return [
            f"{self.name(path)} was passed over: {why}"
            for path, why in opener.refused().items()
            if path not in absolute
        ]

    def name(self, path: str) -> str:
        """A path as the user knows it: relative to the present folder, with `/`."""
        absolute = os.path.join(self.found.root, path)
        if self.options.stdin is not None and path in self._overlay:
            return self.options.stdin_filename or STDIN
        try:
            return os.path.relpath(absolute, self._folder).replace(os.sep, "/")
        except ValueError:  # another drive
            return absolute.replace(os.sep, "/")

    def _time(self, path: str) -> str:
        try:
            return str(os.stat(os.path.join(self.found.root, path)).st_mtime_ns)
        except OSError:
            return ""

    def _read(self, path: str) -> bytes | None:
        """The bytes of a file; None if it cannot be read, which the project will say."""
        try:
            return read_file(os.path.join(self.found.root, path), source_kind(path))
        except OSError:
            return None

    def _open_cache(self) -> Cache | None:
        if self.options.cache_dir:
            return Cache(self.options.cache_dir, carried=True)
        folder = user_folder()
        return None if folder is None else Cache(folder)
