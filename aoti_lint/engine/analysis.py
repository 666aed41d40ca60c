"""What happens in the files of one run, and what archives and settings say."""

from __future__ import annotations

import gc
import os
from contextlib import ExitStack, contextmanager, suppress

from aoti_lint.engine.kept import Kept
from aoti_lint.engine.sources import Sources, wrong_with
from aoti_lint.files import opener
from aoti_lint.files.cache import Cache, content_hash
from aoti_lint.profile import OFF, Timer
from aoti_lint.source.discovery.archives import stamp
from aoti_lint.text.problem import SourceProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from aoti_lint.diagnostics import Span
    from aoti_lint.findings.judging import Judging
    from aoti_lint.linking.analysis import Judge
    from aoti_lint.machine.facts import Facts
    from aoti_lint.machine.recorded.units import Units
    from aoti_lint.options import Options
    from aoti_lint.program.named import NamedArchive
    from aoti_lint.source.settings.model import Assignment, Settings
    from aoti_lint.torch_api.target import Target


MANY = 32
"""So many files to analyse may be worth it to keep what they do for other processes, where there is no cache."""


@contextmanager
def few_collections() -> Iterator[None]:
    """Sources and values are many, live long and hold no cycles: looking for these costs a fifth of an analysis."""
    before = gc.get_threshold()
    gc.set_threshold(100_000, 20, 1_000)
    try:
        yield
    finally:
        gc.set_threshold(*before)


class Analysis(Sources):
    """The files of one run, and the facts of them."""

    def __init__(self, options: Options, timer: Timer = OFF, kept: Kept | None = None, *, alone: bool = False) -> None:
        super().__init__(options, timer, kept, alone=alone)
        self._archives: tuple[list[NamedArchive], list[SourceProblem]] | None = None
        self._settings: list[Settings] | None = None
        self._unread: list[SourceProblem] = []
        """What is wrong with the settings."""
        self._broken: list[SourceProblem] = []
        """What is wrong with the named files that scripts read."""

    def facts(self, target: Target, *, silences: bool = False, judging: Judging | None = None) -> Facts:
        """The analysis of the files, and what the archives say; `silences`: with all that was not followed.

        With what `judging` finds in them: then they may lack what it finds that in.
        """
        if self.project.matters or any(one.assignments or one.unheard for one in self.settings):
            facts = self._analysis(target, silences, None if judging is None else self._judge(target, judging))
        else:
            from aoti_lint.machine.facts import Facts

            facts = Facts(self.project, target.versions, versions_stated=target.stated, archives=self.archives[0])
            facts.environment = dict(self.options.environment)
        facts.notes += [self._gap(span) for one in self._named_settings for span in one.gaps[:1]]
        own = {*self._own(self.found.files)}
        told = [one for one in sorted(facts.unread, reverse=True) if one.span.path in own]
        there = {*facts.written, *map(os.path.basename, opener.refused())}
        unread = {(one.file, one.span.path): one for one in told if os.path.basename(one.file) not in there}
        facts.notes += [
            f"{self._row(one.span)}: {one.file} {one.why}: what is taken from it is not known"
            for one in sorted(unread.values())
        ]
        broken = {one.file: one.why for one in told if one.file in self.found.data}
        self._broken = [SourceProblem(file, why) for file, why in broken.items()]
        others = {path: wrong_with(self.project, path) for path in self.found.data if path not in broken}
        facts.notes += [f"{self.name(path)} {why}" for path, why in others.items() if why]
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
        return Judge(judging.codes, lambda facts, codes: judging.found(self._told(facts, target), codes), name, is_kept)

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
        """What the files outside Python set, of those that could be read."""
        if self._settings is None:
            self._settings = []
            if self.found.settings:
                from aoti_lint.source.settings.read import read_all

                self._settings, unread = read_all(self.project, self.found.settings)
                self._unread = [one for one in unread if one.path not in self._lying]
        return self._settings

    @property
    def _named_settings(self) -> list[Settings]:
        return [one for one in self.settings if one.path not in self._lying]

    def _analysis(self, target: Target, silences: bool, judge: Judge | None) -> Facts:
        from aoti_lint.machine.recorded.recording import Restart

        with few_collections(), self._shared_cache() as cache:
            while True:
                try:
                    return self._analysed(target, silences, judge, cache)
                except Restart:
                    # What was known of earlier runs led astray: what this one has read of files is read again.
                    self._project, self._settings, self._unread = None, None, []

    @contextmanager
    def _shared_cache(self) -> Iterator[Cache | None]:
        """Where units are kept, for other processes too, which may take part now or make the same run later."""
        if self._timer.is_on or self._kept.contents is not None:
            yield None
        elif self.cache is not None or self._processes == 1 or len(self.project.analysed) < MANY:
            yield self.cache
        else:
            from tempfile import TemporaryDirectory

            with ExitStack() as stack:
                folder = None
                with suppress(OSError):  # nowhere to write: then one process does it all
                    folder = stack.enter_context(TemporaryDirectory(prefix="aoti-lint-"))
                yield None if folder is None else Cache(os.path.join(folder, "units"))

    @property
    def _processes(self) -> int:
        return self.options.jobs if hasattr(os, "fork") and self._kept.contents is None else 1

    def _analysed(self, target: Target, silences: bool, judge: Judge | None, cache: Cache | None) -> Facts:
        from aoti_lint.linking.analysis import analyse

        outside, launches = {}, {}
        if self.settings:
            from aoti_lint.source.settings.scripts import launched, started

            outside = started(self.project, self._named_settings)
            launches = launched(self.project, self.settings)
        try:
            return analyse(
                self.project,
                target.versions,
                stated=target.stated,
                below=target.below,
                archives=self.archives[0],
                environment=self.options.environment,
                outside=outside,
                assignments=[made for one in self.settings for made in one.assignments],
                unheard=[made for one in self.settings for made in one.unheard],
                launched=launches,
                units=self._units(target, outside, cache),
                processes=self._processes,
                judge=judge,
                silences=silences,
                timer=self._timer,
            )
        finally:
            self.project.remember()

    def _units(
        self, target: Target, outside: Mapping[str, Mapping[str, Assignment]], cache: Cache | None
    ) -> Units | None:
        """What is known of earlier runs that nothing but files can make different from this one."""
        from aoti_lint.engine.run_cache import Places
        from aoti_lint.machine.recorded.units import Units

        in_session = self._kept.contents is not None
        if self._timer.is_on or (cache is None and not in_session):
            return None
        root = self.found.root
        if cache is not None:
            root = Places(cache, root, self._folder, map(self._read, self.found.settings)).root
        archives = [stamp(os.path.join(self.found.root, path)) for path in self.found.archives]
        below = [(path, list(t.versions), t.stated) for path, t in target.below.items()]
        call = [root, list(target.versions), target.stated, below, self.options.environment, outside, archives,
                self.exclude]  # fmt: skip
        key = content_hash(repr(call).encode("utf-8", "surrogatepass"))
        files = content_hash(repr(self.project.analysed).encode("utf-8", "surrogatepass"))
        return self._kept.units(key, lambda: Units(cache, key, files, stays=in_session))
