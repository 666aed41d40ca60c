"""Reads a log line by line: what stands in it besides messages is taken off, and the user's lines are kept."""

from __future__ import annotations

import codecs
import io
import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from aoti_lint.files.near import cannot_open
from aoti_lint.files.opener import LOG, open_named

LONGEST = 4_000
"""Characters of a line that are looked at; torch prints whole graphs in one."""
PIECE = 1 << 20
"""Characters of a line that are held at all: the rest of it is passed over."""
FRAMES = 20_000
"""Frames that are kept of a log, the last ones."""

ABOVE = 400
"""Lines of a traceback that are kept, the last ones."""
NEAR = 40
"""Lines of a traceback without its first line."""
ABOVE_WIDTH = 400
"""Characters of each of these."""
MOST_ABOVE = 20_000_000
"""Characters of the lines above others that are looked through; a log of one failure asks some times."""
PREFIX = 160
"""Characters that a program may put before each line."""
MESSAGE = 10
"""Lines of an error's message that are read as one."""

_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_PREFIX = re.compile(
    r"^(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S* ?"  # times that CI services and `docker logs -t` put before a line
    r"|\[(?:rank|default|worker|pid=)\s?\d*\]:? ?"  # ranks of torchrun
    r"|\([A-Za-z_]\w*(?: pid=\d+)?\) ?"  # processes of Ray and vLLM
    r"|(?:DEBUG|INFO|WARNING|ERROR|CRITICAL) \d\d-\d\d \d\d:\d\d:\d\d \[?[\w./]+:\d+\] ?"  # the logger of vLLM
    r"|[DIWEVC]\d{4} \d\d:\d\d:\d\d\.\d+ \d+ \S+:\d+\] (?:\[[\w/]+\] )*"  # loggers of torch
    r"|[\w.-]+ +\| )"  # services of docker compose
)
_PASSED = re.compile(r"::.* (?:PASSED|SKIPPED|XFAIL)\b[^\]]*(?:\[ *\d+%\])?$")
"""A test that did not fail; its name may quote any message."""
_SOURCE = re.compile(r"\[__(?:\w*_code|\w*graphs?|ir_\w+|bytecode|fusion|schedule)\] ")
"""What torch logs of code that it makes: that quotes any message."""
_COMMENT = re.compile(r"\s*//")
"""A comment of C++ code: that of packages says which errors its checks are for."""
_PYTEST = re.compile(r"^E   +")
_FRAME = re.compile(r'^\s*File "?(?P<path>[^"]+?)"?, line (?P<row>\d+)(?:, in (?P<function>.+))?$')
_NODE = re.compile(
    r'^\s*# File:? "?(?P<path>[^":]+?\.py)(?:", line |:)(?P<row>\d+),? in (?P<function>[\w<>.]+), code: '
)
"""`# File: net.py:6 in forward, code: return x`, as torch says where a node of a graph comes from."""
_CAUSED = re.compile(
    r"\((?!_|nn/modules/|fx/|functional\.py)(?P<path>[^():]+\.py):(?P<row>\d+) in (?P<function>[\w<>.]+)\)"
)
"""`Caused by: (file.py:6 in forward)`; files of torch are named without their folder, `_ops.py:920`."""
_SHORT = re.compile(r"^(?P<path>[\w./\\-]+\.py):(?P<row>\d+): (?:in (?P<function>\w+)|\w*(?:Error|Exception)\b.*)$")
_FOREIGN = re.compile(
    r"(?:^|[\\/])(?:site-packages|dist-packages|lib[\\/]python3\.\d+|Lib[\\/](?!site)|torchinductor_[^\\/]*)[\\/]"
    r"|^<|(?:^|[\\/])(?:runpy|importlib|multiprocessing)[\\/.]"
    r"|[\\/]c[a-z2-7]{50,52}\.py$"  # Inductor's cache, wherever it lies: named after a hash
)
_TRACEBACK = "Traceback (most recent call last)"
_USERS = "from user code:"
_CAUSE_OF = "The above exception was the direct cause of the following exception"
_TEST = re.compile(r"^_{3,} .+ _{3,}$")
"""The line with which pytest begins what it says of a test."""
_NOTEBOOK = re.compile(
    r"^(?:File \[?(?P<path>[^\]:]*(?::\\[^\]:]*)?\.py):(?P<row>\d+)(?:\]\([^)]*\))?"
    r"|(?P<cell>(?:Cell|Input) In ?\[\d+\]), line (?P<line>\d+))(?:, in (?P<function>[\w.<>]+).*)?$"
)
"""`File ~/env/torch/x.py:12, in f(a)` and `Cell In[4], line 21`, as IPython writes the frames of a traceback."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A line of the user's code that a log names, and the number of the line of the log that does."""

    path: str
    row: int
    function: str
    at: int


@dataclass(slots=True)
class Log:
    """What is kept of a log while it is read: where tracebacks begin, and the user's frames."""

    lines: int = 0
    tracebacks: list[int] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    told: dict[int, Frame] = field(default_factory=dict)
    """The innermost line after each `from user code:`, by the number of that line."""
    last_error: str = ""
    last_error_at: int = 0
    chain: int = 0
    """The number of the exceptions that caused each other, or of the one that had no such cause."""
    link: int = 0
    """The number of the exception in its chain: the first one, 0, is what the others come from."""
    _above: deque[str] = field(default_factory=lambda: deque(maxlen=ABOVE))
    _message: list[str] = field(default_factory=list)
    _before: re.Pattern[str] | None = None
    _joined: bool = False
    _telling: int = 0
    _looked: int = 0

    @property
    def above(self) -> str | None:
        """The lines of the traceback that the line which was read last belongs to, without itself.

        None once they were asked for too often.
        """
        if self._looked > MOST_ABOVE:
            return None
        found = "\n".join(self._above)
        self._looked += len(found)
        return found

    @property
    def message(self) -> str:
        """The error message that is being read, its lines joined; nothing if the line is its first one, or of none."""
        return " ".join(self._message) if len(self._message) > 1 else ""

    def read(self, lines: Iterable[str]) -> Iterator[tuple[int, str]]:
        """The lines without colours and prefixes, each with its number from 1; not those of tests that passed."""
        for line in lines:
            self.lines += 1
            text = self._stripped(clean(line))
            if _PASSED.search(text) or _SOURCE.search(line[:LONGEST]) or _COMMENT.match(text):
                continue
            if _TRACEBACK in text or _TEST.match(text):
                self._begin()
            elif _CAUSE_OF in text:
                self.link += 1
                self._message.clear()
            elif (frame := _frame(text, self.lines)) is not None:
                self.frames.append(frame)
                if self._telling:
                    self.told[self._telling] = frame
                if len(self.frames) > 2 * FRAMES:
                    del self.frames[:FRAMES]
                self._message.clear()
            else:
                self._read_message(text)
            if text.strip() == _USERS:
                self._telling = self.lines
            elif not text.strip() and self._telling in self.told:
                self._telling = 0
            self._joined = _CAUSE_OF in text or (self._joined and not text.strip())
            yield self.lines, text
            self._above.append(text[:ABOVE_WIDTH])

    def _begin(self) -> None:
        """A traceback, or what pytest says of a test, begins."""
        self.tracebacks.append(self.lines)
        self._above.clear()
        self._message.clear()
        if not self._joined:
            self.chain += 1
            self.link = 0

    def _read_message(self, text: str) -> None:
        if _ERROR.match(text):
            self.last_error, self.last_error_at = text, self.lines
            self._message = [text]
        elif self._message and text.strip() and len(self._message) < MESSAGE and not _FRAME.match(text):
            self._message.append(text.strip())
        else:
            self._message.clear()

    def _stripped(self, text: str) -> str:
        """A line without what this log has before every line of a traceback; its first line shows what that is."""
        if self._before is not None and (found := self._before.match(text)):
            text = text[found.end() :]
        begin = text.find(_TRACEBACK)
        if 0 < begin <= PREFIX:
            if before := text[:begin].strip():
                self._before = re.compile(re.sub(r"\d+", lambda _: r"\d+", re.escape(before)) + " ?")
            text = text[begin:]
        return _as_frame(text)

    def users_line(self, at: int) -> Frame | None:
        """The innermost line of the user's code around line `at` of the log.

        What the message says itself (`from user code:`) or what follows at once (`Caused by: …`); else in the traceback
        that ends there, else in the next traceback: C++ prints its message before Python does.
        """
        begins = max((row for row in self.tracebacks if row <= at), default=None)
        after = min((row for row in self.tracebacks if row > at), default=self.lines + 1)
        if (said := min((row for row in self.told if at <= row < after), default=None)) is not None:
            return self.told[said]
        following = [frame for frame in self.frames if at <= frame.at < after]
        if following and following[0].at <= at + 12:
            return following[0] if following[0].at == at else following[-1]
        first = at - NEAR if begins is None else begins  # pytest and logs that were cut have no first line
        inside = [frame for frame in self.frames if first <= frame.at <= at]
        if inside:
            return inside[-1]
        end = min((row for row in self.tracebacks if row > after), default=self.lines + 1)
        coming = [frame for frame in self.frames if after <= frame.at < end]
        return coming[-1] if coming else None

    def started(self, at: int) -> str | None:
        """The script that was running at line `at` of the log: the first one of the traceback around or behind it."""
        begins = max((row for row in self.tracebacks if row <= at), default=0)
        scripts = (frame for frame in self.frames if frame.at >= begins and frame.function == "<module>")
        return next((frame.path for frame in scripts if frame.path.endswith(".py")), None)


_ERROR = re.compile(
    r"^(?:[\w.]*(?:Error|Exception|Unsupported|NotFound|Interrupt|Exit|Violation|Node)\b.*:|Error: ).*"
    r"|^[\w.]*(?:Error|Exception)$"
)


def clean(line: str) -> str:
    """A line without colours, without what loggers of other programs put before it, and cut to `LONGEST`."""
    text = _COLOUR.sub("", line[: 2 * LONGEST].rstrip("\r\n"))
    while found := _PREFIX.match(text):
        text = text[found.end() :]
    return _PYTEST.sub("", text)[:LONGEST]


def _as_frame(text: str) -> str:
    """A frame of a notebook's traceback in the form of Python's; other lines as they are."""
    found = _NOTEBOOK.match(text)
    if found is None:
        return text
    inside = f", in {found['function']}" if found["function"] else ""
    return f'  File "{found["path"] or found["cell"]}", line {found["row"] or found["line"]}{inside}'


def _frame(text: str, at: int) -> Frame | None:
    found = _FRAME.match(text) or _NODE.match(text) or _CAUSED.search(text) or _SHORT.match(text)
    if found is None or not users(found["path"]):
        return None
    return Frame(found["path"], int(found["row"]), found["function"] or "", at)


def users(path: str) -> bool:
    """Whether a file that a log names is the user's: neither torch's nor Python's nor another package's."""
    return not _FOREIGN.search(path)


def frames_in(lines: Iterable[str]) -> list[Frame]:
    """The user's lines that a stack trace names, `at` counted from 1."""
    return [frame for at, line in enumerate(lines, 1) if (frame := _frame(line, at)) is not None]


def lines_of(path: str) -> Iterator[str]:
    """The lines of a log in a file, read one by one. Raises `CannotRun` if it cannot be read."""
    try:
        with open_named(path, LOG) as file:
            text = io.TextIOWrapper(file, _encoding(file.peek(4)), "replace")
            whole = True
            while piece := text.readline(PIECE):
                if whole:
                    yield from piece.splitlines()
                whole = piece.endswith("\n")
    except OSError as error:
        raise cannot_open(path, error) from None


def decoded(data: bytes) -> str:
    """The text of a part of a log; what is no text becomes �."""
    return data.decode(_encoding(data), "replace")


def _encoding(data: bytes) -> str:
    """How a log that begins so is written: also in UTF-16, as PowerShell does it."""
    if data.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    return "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8"
