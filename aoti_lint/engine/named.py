"""What one run is asked to check: files and folders, standard input, what an editor has open, archives."""

from __future__ import annotations

import os

from aoti_lint.source.discovery.archives import matched
from aoti_lint.source.discovery.discover import Found, discover, find_root, is_excluded, relative
from aoti_lint.source.settings.kinds import kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from aoti_lint.options import Options

STDIN = "<stdin>"
"""The name of standard input that was given no name."""


class Named:
    """The files that are checked, and those of them whose content is not, or not so, on disk, by their paths."""

    def __init__(self, options: Options, exclude: Sequence[str], buffers: Mapping[str, bytes] | None) -> None:
        """`buffers`, by absolute paths, are what an editor has open; None where no editor asks."""
        self._options, self._exclude = options, exclude
        self.overlay: dict[str, bytes] = {}
        if buffers is not None and not options.paths:
            self.found = Found(find_root(list(buffers)))
        elif options.stdin is None:
            self.found = discover(options.paths, exclude=exclude, force_exclude=options.force_exclude)
        else:
            self.found = self._standard_input(options.stdin)
        self._add_buffers(buffers or {})
        if options.config.archives:
            self._add_archives()

    def _standard_input(self, data: bytes) -> Found:
        """Standard input, in the place of the file it is named after."""
        name = self._options.stdin_filename or STDIN
        path = os.path.abspath(name)
        found = Found(find_root([path]))
        if self._options.force_exclude and is_excluded(path, found.root, self._exclude):
            found.skipped.append((name, "excluded"))
        else:
            inside = os.path.relpath(path, found.root).replace(os.sep, "/")
            (found.files if kind_of(path, data) is None else found.settings).append(inside)
            self.overlay[inside] = data
        return found

    def _add_buffers(self, buffers: Mapping[str, bytes]) -> None:
        """What an editor has open is checked as it is there, whether it is on disk or not."""
        for absolute, data in buffers.items():
            inside = relative(absolute, self.found.root)
            if inside is None:
                self.found.skipped.append((absolute, "not in the same project"))
                continue
            files = self.found.files if kind_of(inside, data) is None else self.found.settings
            if inside in files:
                self.overlay[inside] = data
            elif not is_excluded(absolute, self.found.root, self._exclude):
                self.overlay[inside] = data
                files.append(inside)

    def _add_archives(self) -> None:
        """The archives that the configuration names join those of the command line."""
        config = self._options.config
        folder = os.path.dirname(config.path) if config.path is not None else self.found.root
        paths, idle = matched(config.archives, folder, self.found.root)
        self.found.archives = sorted({*self.found.archives, *paths})
        self.found.skipped += [(pattern, "no archive is there") for pattern in idle]
