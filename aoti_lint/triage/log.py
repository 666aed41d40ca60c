"""Reads a log line by line: what stands in it besides messages is taken off, and the user's lines are kept."""

from __future__ import annotations

import codecs
import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from aoti_lint.errors import CannotRun

LONGEST = 4_000
"""Characters of a line that are looked at; torch prints whole graphs in one."""
FRAMES = 20_000
"""Frames that are kept of a log, the last ones."""

ABOVE = 400
"""Lines of a traceback that are kept, the last ones."""
NEAR = 40
"""Lines of a traceback without its first line."""

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
_CAUSED = re.compile(
    r"\((?!_|nn/modules/|fx/|functional\.py)(?P<path>[^():]+\.py):(?P<row>\d+) in (?P<function>[\w<>.]+)\)"
)
"""`Caused by: (file.py:6 in forward)`; files of torch are named without their folder, `_ops.py:920`."""
_SHORT = re.compile(r"^(?P<path>[\w./\\-]+\.py):(?P<row>\d+): (?:in (?P<function>\w+)|\w*(?:Error|Exception)\b.*)$")
_FOREIGN = re.compile(
    r"(?:^|[\\/])(?:site-packages|dist-packages|lib[\\/]python3\.\d+|Lib[\\/](?!site)|torchinductor_[^\\/]*)[\\/]"
    r"|^<|(?:^|[\\/])(?:runpy|importlib|multiprocessing)[\\/.]"
)
_TRACEBACK = "Traceback (most recent call last)"


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
    last_error: str = ""
    last_error_at: int = 0
    _above: deque[str] = field(default_factory=lambda: deque(maxlen=ABOVE))

    @property
    def above(self) -> str:
        """The lines of the traceback that the line which was read last belongs to, without itself."""
        return "\n".join(self._above)

    def read(self, lines: Iterable[str]) -> Iterator[tuple[int, str]]:
        """The lines without colours and prefixes, each with its number from 1; not those of tests that passed."""
        for line in lines:
            self.lines += 1
            text = clean(line)
            if _PASSED.search(text) or _SOURCE.search(line[:LONGEST]) or _COMMENT.match(text):
                continue
            if _TRACEBACK in text:
                self.tracebacks.append(self.lines)
                self._above.clear()
            elif (frame := _frame(text, self.lines)) is not None:
                self.frames.append(frame)
                if len(self.frames) > 2 * FRAMES:
                    del self.frames[:FRAMES]
            elif _ERROR.match(text):
                self.last_error, self.last_error_at = text, self.lines
            yield self.lines, text
            self._above.append(text)

    def users_line(self, at: int) -> Frame | None:
        """The innermost line of the user's code around line `at` of the log.

        In the traceback that ends there; else what follows at once (`Caused by: …`), else in the next traceback: C++
        prints its message before Python does.
        """
        begins = max((row for row in self.tracebacks if row <= at), default=None)
        after = min((row for row in self.tracebacks if row > at), default=self.lines + 1)
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


def _frame(text: str, at: int) -> Frame | None:
    found = _FRAME.match(text) or _CAUSED.search(text) or _SHORT.match(text)
    if found is None or not users(found["path"]):
        return None
    return Frame(found["path"], int(found["row"]), found["function"] or "", at)


def users(path: str) -> bool:
    """Whether a file that a log names is the user's: neither torch's nor Python's nor another package's."""
    return not _FOREIGN.search(path)


def frames_in(lines: Iterable[str]) -> list[Frame]:
    """The user's lines that a stack trace names, `at` counted from 1."""
    return [frame for at, line in enumerate(lines, 1) if (frame := _frame(line, at)) is not None]


def lines_of(path: str) -> list[str]:
    """The lines of a log in a file. Raises `CannotRun` if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return decoded(file.read()).splitlines()
    except OSError as error:
        raise CannotRun(f"{path}: {error.strerror or error}") from None


def decoded(data: bytes) -> str:
    """The text of a log, also of one in UTF-16, as PowerShell writes it; what is no text becomes �."""
    for mark, name in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return data.decode(name, "replace")
    return data.decode("utf-8", "replace")
