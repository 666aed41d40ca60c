"""What a file outside Python says of the environment."""

from __future__ import annotations

from collections.abc import Sequence

from aoti_lint.diagnostics import Span
from aoti_lint.lazily.dataclass import dataclass, field, replace
from aoti_lint.text.problem import SourceProblem

MAX_GIVEN = 100_000
"""Variables that the scripts of one file are given, all together: some hundreds of scripts with some hundreds each."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a command; `text` is None where it is not known, `raw` is how it is written.

    `start` and `end` are indices into the text the command stands in. `several`: more words than one, or none, may come
    of it.
    """

    text: str | None
    raw: str
    start: int
    end: int
    several: bool = False


@dataclass(frozen=True, slots=True)
class Assignment:
    """An environment variable is set.

    `value` is None where it is not known (`$OTHER`, the output of a command). `command` is the Python script that is
    started with it, as the file names it (`src/serve.py`, `-m pkg.mod`), or None where none is seen; an assignment
    that holds for several scripts is listed once for each. `conditional`: it may not hold when that script starts,
    or, without a script, may not be reached at all.
    """

    name: str
    value: str | None
    span: Span
    command: str | None = None
    conditional: bool = False


@dataclass(frozen=True, slots=True)
class Start:
    """A Python script is started with these variables, by name, and these words. `span` is the command.

    A word is None where it is not known, and `words` where not even their number is. `conditional`: it may not be
    reached.
    """

    command: str
    span: Span
    variables: dict[str, Assignment]
    words: tuple[str | None, ...] | None = None
    conditional: bool = False


@dataclass(slots=True)
class Settings:
    """All that one file says, the assignments once `finish` was called.

    `packed`: its paths are those of a container image, whose folders are not these.
    """

    path: str
    packed: bool = False
    assignments: list[Assignment] = field(default_factory=list)
    unheard: list[Assignment] = field(default_factory=list)
    """Variables of the shell that are not exported, with the first script that is started without them; and those that
    are exported by a shell that ends before it starts anything, with none."""
    starts: list[Start] = field(default_factory=list)
    gaps: list[Span] = field(default_factory=list)
    """Where text was not understood. What such shell sets and starts is taken for possible only."""
    _made: dict[Assignment, None] = field(default_factory=dict)
    _given: int = 0

    def set(self, made: Assignment) -> None:
        """Note that a variable is set, before it is known for which script."""
        self._made[made] = None

    def start(
        self,
        command: str,
        span: Span,
        variables: dict[str, Assignment],
        words: Sequence[Word] = (),
        *,
        conditional: bool = False,
    ) -> None:
        """Note that a script is started with these variables and words."""
        self._given += len(variables) + 1
        if self._given > MAX_GIVEN:
            return
        started = {name: replace(one, command=command) for name, one in variables.items()}
        self.starts.append(Start(command, span, started, _texts_of(words), conditional))
        for one in started.values():
            self.set(one)

    def finish(self) -> Settings:
        """Leave out assignments without a script that are listed with one, and put all in the order of their places.

        Raises `SourceProblem` when there were too many.
        """
        if self._given > MAX_GIVEN:
            raise SourceProblem(self.path, f"it starts scripts with more than {MAX_GIVEN} variables in sum: not read")
        used = {(one.span, one.name) for one in self._made if one.command is not None}
        kept = [one for one in self._made if one.command is not None or (one.span, one.name) not in used]
        self.assignments = sorted(kept, key=lambda one: (one.span, one.name))
        return self


def _texts_of(words: Sequence[Word]) -> tuple[str | None, ...] | None:
    return None if any(word.several for word in words) else tuple(word.text for word in words)
