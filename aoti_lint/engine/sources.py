"""What one run is about: its files, where they are remembered, for which versions of torch they are judged."""

from __future__ import annotations

import os
from functools import cached_property

from aoti_lint.engine.kept import Kept
from aoti_lint.engine.named import STDIN, Named
from aoti_lint.files import opener
from aoti_lint.files.cache import Cache, user_folder
from aoti_lint.files.opener import read_file, source_kind
from aoti_lint.profile import OFF, Timer
from aoti_lint.source.discovery.archives import stamp
from aoti_lint.source.discovery.discover import OTHER, others_in
from aoti_lint.source.interest.needles import interesting, may_suppress
from aoti_lint.source.project import Project
from aoti_lint.source.remembered.glances import Glances

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from aoti_lint.engine.run_cache import RunCache
    from aoti_lint.findings.standing import Standing
    from aoti_lint.options import Options
    from aoti_lint.source.discovery.ignores import Patterns
    from aoti_lint.torch_api.target import Target


class Sources:
    """The files of one run, and what is known of them before any is analysed."""

    def __init__(self, options: Options, timer: Timer = OFF, kept: Kept | None = None, *, alone: bool = False) -> None:
        """`alone`: nothing is analysed for its own sake that was not named."""
        self.options, self._timer, self._kept = options, timer, kept or Kept()
        self.exclude = [*options.config.exclude, *options.exclude]
        self._folder = os.getcwd()
        self._project: Project | None = None
        self._target: Target | None = None
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
        self._lying: set[str] = set()
        """Files of settings that nobody named: they are judged, and what they start is judged without them."""
        if found.unnamed and not alone and self._speaks:
            self._add_lying()

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
        if not self.options.force_exclude:  # who chose the file wants to know; of what a hook names, few are read
            project = self._sources()
            idle = {path: wrong_with(project, path) for path in found.data if not scripts[path]}
            found.skipped += [(self.name(path), f"{OTHER}; it {why}" if why else OTHER) for path, why in idle.items()]
        found.data = [path for path in found.data if scripts[path]]

    def _add_lying(self) -> None:
        from aoti_lint.engine.unnamed import counting

        self._lying.update(counting(self.found.root, self.found.unnamed, set(self.found.files)))
        self.found.settings = sorted({*self.found.settings, *self._lying})

    @cached_property
    def _speaks(self) -> bool:
        """Whether any of the files holds something that is judged."""
        return any(interesting(data or b"") for data in map(self._read, self.found.files))

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

            selected(load(self.glances.once), levels(options))

    def memory(self) -> RunCache | None:
        """Where the document of this run is remembered.

        None if that is not wanted, not worth it, or not safe, as nobody knows what a third-party rule reads.
        """
        found = self.found
        if self.cache is None or self._kept.contents is not None or self._overlay or self.options.rewrites:
            return None
        if not (found.files or found.archives or found.settings):
            return None
        if not (found.archives or found.settings or self._speaks or self._beside):
            return None
        from aoti_lint.catalogue.plugins import any_installed
        from aoti_lint.engine.run_cache import Places, RunCache

        if any_installed():
            return None
        target = self.target()
        places = Places(self.cache, found.root, self._folder, map(self._read, found.settings))
        config = self.options.config.path
        call = [places.root, places.of(self._folder), config and places.of(config), found.files, found.archives,
                found.settings, sorted(self._lying), found.data, found.skipped, list(map(str, found.problems)),
                self.exclude,
                list(target.versions), target.origin, target.notes,
                [(folder, list(own.versions), own.origin) for folder, own in target.below.items()],
                [(places.of(one), why) for one, why in opener.refused().items()], self._beside,
                self.standing and self.standing.state(), *self.options.judging()]  # fmt: skip
        return RunCache(self.cache, call, self.contents())

    @property
    def _beside(self) -> list[str]:
        """The files that are analysed with the named ones."""
        return self.project.beside if self._listed else []

    def contents(self) -> dict[str, str]:
        """What the named files hold now: hashes by path."""
        hashes = {path: self.glances.content(path) or "" for path in (*self.found.files, *self.found.settings)}
        if self.found.archives:
            # A script that is newer than what it writes makes what is said of that a guess.
            hashes = {path: f"{known} {self._time(path)}" for path, known in hashes.items()}
            hashes.update((path, stamp(os.path.join(self.found.root, path))) for path in self.found.archives)
        return hashes

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

    def _own(self, paths: Sequence[str]) -> list[str]:
        """Those of the named files that this run, or this shard of it, reports."""
        return list(filter(self.project.owns, paths))

    def files(self) -> list[str]:
        """The absolute paths of all that was named or found below it, and of the configuration."""
        found = self.found
        named = [*found.files, *found.archives, *found.settings, *(problem.path for problem in found.problems)]
        config = self.options.config.path
        return [*(os.path.join(found.root, path) for path in named), *([] if config is None else [config])]

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


def wrong_with(project: Project, path: str) -> str:
    """What keeps a file of settings from being parsed, whoever reads it; empty where nothing does."""
    from aoti_lint.source.settings.data import wrong_with

    source = project.source(path)
    return "" if source is None else wrong_with(path, source.text)
