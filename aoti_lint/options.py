"""What a run is asked to do."""

from __future__ import annotations

import os.path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from aoti_lint.config import Config


class Options:
    """The command line and the configuration of one run. No dataclass: a run with nothing to do makes one too."""

    __slots__ = ("baseline", "cache", "cache_dir", "config", "coverage", "environment", "exclude", "extend_select",
                 "force_exclude", "ignore", "ignores", "jobs", "paths", "pedantic", "python", "rewrites", "select",
                 "shard", "stdin", "stdin_filename", "torch_version")  # fmt: skip

    def __init__(
        self,
        paths: Sequence[str],
        config: Config,
        *,
        select: Sequence[str] | None = None,
        extend_select: Sequence[str] = (),
        ignore: Sequence[str] = (),
        exclude: Sequence[str] = (),
        force_exclude: bool = False,
        environment: Mapping[str, str] | None = None,
        torch_version: str | None = None,
        python: str | None = None,
        pedantic: bool = False,
        coverage: bool = False,
        ignores: bool = True,
        cache: bool = True,
        cache_dir: str | None = None,
        shard: tuple[int, int] | None = None,
        jobs: int = 1,
        stdin: bytes | None = None,
        stdin_filename: str | None = None,
        baseline: str | None = None,
        rewrites: bool = False,
    ) -> None:
        """`baseline` is the file of what stood already, an empty name for none, None for what the configuration says.

        `rewrites`: the report is to say all that a new one needs. `jobs` is how many processes may take part: copies of
        this one, which must not have threads that do something then.
        """
        self.paths, self.config = list(paths), config
        self.select, self.extend_select, self.ignore = select, list(extend_select), list(ignore)
        self.exclude, self.force_exclude = list(exclude), force_exclude
        self.torch_version, self.python = torch_version, python
        self.environment = {**config.environment, **(environment or {})}
        self.pedantic, self.coverage, self.ignores = pedantic, coverage, ignores
        self.cache, self.cache_dir = cache, cache_dir
        self.shard, self.jobs = shard, jobs
        self.stdin, self.stdin_filename = stdin, stdin_filename
        if baseline is None and config.baseline is not None:
            baseline = os.path.join(os.path.dirname(config.path or ""), config.baseline)
        self.baseline, self.rewrites = os.path.abspath(baseline) if baseline else None, rewrites

    def judging(self) -> list[object]:
        """What decides, with the files and the torch versions, what is found and shown: for the memory of runs."""
        config = self.config
        return [
            self.select, self.extend_select, self.ignore, self.ignores, self.pedantic, self.coverage,
            config.select, config.extend_select, config.ignore, config.per_file_ignores, config.severity,
            config.target.state(), config.package.state(), self.environment, self.shard,
        ]  # fmt: skip
