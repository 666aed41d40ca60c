"""What the processes of a run noted, as `inside` writes it."""

from __future__ import annotations

import glob
import json
import os
from collections.abc import Callable, Iterable
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from aoti_lint.files.opener import LOG, open_regular
from aoti_lint.rerun.named_files import line_at
from aoti_lint.rerun.result import Place


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Leaf(_Model):
    """One leaf of the arguments or results of a call. A size that is not known is its symbol.

    `nan` and `inf` are counts; `unread` says why there are none: the error of a device that had failed before.
    Arguments of a kernel have a `name` and where `at` in memory they lie; whole numbers go from `low` to `high`.
    """

    kind: str
    value: str = ""
    shape: tuple[int | str, ...] = ()
    dtype: str = ""
    device: str = ""
    strides: tuple[int | str, ...] | None = None
    nan: int | None = None
    inf: int | None = None
    low: int | None = None
    high: int | None = None
    unread: str = ""
    name: str = ""
    at: int = 0


class Node(_Model):
    """A node of an exported program: an `input`, a `weight` (or buffer), a custom `op`, or another `node`; a `mask` is
    one that writes -inf as it is told to. `given` says what it was given, in words."""

    kind: str = ""
    name: str = ""
    stacks: tuple[str, ...] = ()
    given: tuple[str, ...] = ()


class Event(_Model):
    """One event. What it has besides the first five fields goes by its name, `event`:

    - `start`: a Python process in which all this is active (`command`, `cwd`, `python`)
    - `export`; `lower`: to a library; `compile`: to a package; `package`, `save`: writing one. The last three have
      `asked`, `made`: the paths that the program named and that it got. `library`: the same for a library that
      `aot_inductor.output_path` names. `saved`: the exported program of the compile `of` is in `path`
    - `load` (`kind` package, program or so; `asked`, `used`; `rerun`: whether this rerun made it)
    - `call` of the package that `load` opened (`package`, `inputs`). `op`: it enters the custom op `name`, in Python
    - `program`: a call of an exported program's module, which the user's code makes
    - `tune`: the compile runs the Triton kernel `name` on `inputs` that it made up; `stacks` are the lines it was made
      from, `place` is where a kernel of the user's is defined
    - `returned`, `raised`: how the event `of` of the same process, a `what`, ended
    - `kept`: the user's file `path` would have been changed: that went elsewhere, or is undone when the run ends
    - `op-differs`: the fake of the custom op `name` promises `fake`, and its kernel gives `kernel`
    - `op-writes`: the kernel of the custom op `name` changes its argument `text`, which its schema does not say
    - `compared`: whether `output` of a package is the `same` as its program's; else `differing` of `of_all` numbers are
      not, by `most`; or what `program` and `package` are, where shape or dtype differ
    - `origin`: in the call `of`, the node of the exported program (see `Node`) that made the first NaN or infinity in
      its outputs, `bad`, which the node `taker` took from there, with -inf of `masks` among what it was given; or that
      `raised`, as the numbers that `index` made may point outside of what it was given. Where the outputs are good, the
      buffer `kept` is bad from then on
    - `state`: a call of the program changes `differing` of its buffers, some `names` of them
    - `changed`: `differing` of `of_all` weights and buffers, some `names` of them, of the program of `package` are not
      as they were when it was compiled; `place` is where `load_state_dict` was called last since
    - `note`: something of ours did not work (`text`)
    """

    event: str
    number: int
    time: float
    pid: int
    place: Place | None = None
    of: int = 0
    what: str = ""
    seconds: float = 0.0
    asked: str | None = None
    made: str | None = None
    used: str | None = None
    files: tuple[str, ...] | None = None
    kind: str = ""
    rerun: bool = False
    load: int = 0
    package: str | None = None
    inputs: tuple[Leaf, ...] = ()
    outputs: tuple[Leaf, ...] = ()
    stacks: tuple[str, ...] = ()
    name: str = ""
    type: str = ""
    message: str = ""
    path: str = ""
    text: str = ""
    command: tuple[str, ...] = ()
    cwd: str = ""
    python: str = ""
    fake: str = ""
    kernel: str = ""
    output: int = 0
    same: bool = True
    differing: int = 0
    of_all: int = 0
    most: float | None = None
    nan_in_program: int = 0
    program: str = ""
    given: tuple[str, ...] = ()
    bad: str = ""
    taker: Node | None = None
    names: tuple[str, ...] = ()
    masks: tuple[Node, ...] = ()
    index: Node | None = None
    raised: bool = False
    kept: str = ""

    @property
    def differs(self) -> bool:
        """Whether an output of a package is not its program's, where the program has one to go by."""
        return self.event == "compared" and not self.same and not self.nan_in_program


_FOUND = frozenset({"made", "used", "package", "path"})
"""Fields with the paths under which files are found: `said` does not change them."""


def read(folder: str, said: Callable[[str], str] = str) -> list[Event]:
    """The events of all processes that wrote into `folder`, in the order of their times.

    `said` gives a text with the paths that the user knows. A line that a crash cut off is left out.
    """
    found: list[Event] = []
    for path in sorted(glob.glob(os.path.join(glob.escape(folder), "*.jsonl"))):
        with open_regular(path, LOG) as file:
            for line in file:
                try:
                    entry = json.loads(line.decode("utf-8", "replace"))
                    entry = {name: texts(value, said) if name not in _FOUND else value for name, value in entry.items()}
                    if entry.get("place"):
                        place = entry["place"]
                        place["text"] = line_at(place["path"], place["line"])[:200]
                    found.append(Event.model_validate(entry))
                except (ValueError, ValidationError):
                    continue
    return sorted(found, key=lambda event: (event.time, event.pid, event.number))


def texts(value: Any, said: Callable[[str], str]) -> Any:
    """A value of JSON with each text in it as `said` gives it."""
    if isinstance(value, str):
        return said(value)
    if isinstance(value, (list, tuple)):
        return [texts(one, said) for one in value]
    return {name: texts(one, said) for name, one in value.items()} if isinstance(value, dict) else value


BEGINS = frozenset({"export", "lower", "compile", "package", "save", "load", "call", "op", "program", "tune"})


def unfinished(events: Iterable[Event]) -> list[Event]:
    """What was begun and did not end: what a process was doing when it died or was stopped, the innermost last."""
    open_: dict[tuple[int, int], Event] = {}
    for event in events:
        if event.event in BEGINS:
            open_[event.pid, event.number] = event
        elif event.event in ("returned", "raised"):
            open_.pop((event.pid, event.of), None)
    return list(open_.values())
