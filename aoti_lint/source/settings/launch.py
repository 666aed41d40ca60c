"""Which Python script a command starts, through `env`, `sudo`, `timeout`, `torchrun`, `docker run` and the like."""

from __future__ import annotations

import posixpath
import re
from collections import deque
from collections.abc import Sequence
from itertools import islice

from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.lazily.regex import regex
from aoti_lint.source.settings.model import Word

NAME = regex(r"[A-Za-z_][A-Za-z0-9_]*")
_ASSIGNED = regex(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)
_PYTHON = regex(r"(?:python|pypy)[\d.]*(?:\.exe)?$")
_WRAPPERS = frozenset({
    "accelerate", "catchsegv", "chrt", "command", "conda", "cuda-gdb", "exec", "gdb", "hatch", "horovodrun", "ionice",
    "mamba", "micromamba", "mpiexec", "mpirun", "ncu", "nice", "nohup", "nsys", "numactl", "pdm", "perf", "pipenv",
    "poetry", "rye", "setsid", "srun", "stdbuf", "strace", "taskset", "timeout", "tini", "unbuffer", "uv",
    "valgrind", "xvfb-run",
})  # fmt: skip
"""Programs that run the rest of their words as a command, with the environment they have."""
_LAUNCHERS = frozenset({"torchrun", "deepspeed", "composer"})
_LAUNCHER_MODULES = frozenset({"torch.distributed.run", "torch.distributed.launch", "accelerate.commands.launch"})
_VALUED = frozenset({"-X", "-W", "--check-hash-based-pycs"})
"""Options of `python` that take the next word."""
_CONTAINERS = frozenset({"docker", "podman", "nerdctl", "docker-compose"})
_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh"})


@dataclass(slots=True)
class Launch:
    """What a command runs.

    `command` is the script (see `Assignment`) and `words` those it is given, `shell` the word with the commands of a
    `sh -c`; None where there is none. `clean`: the environment around it is not handed on. `given` are variables set by
    words of the command.
    """

    command: str | None = None
    words: list[Word] = field(default_factory=list)
    shell: Word | None = None
    clean: bool = False
    given: list[tuple[str, str | None, Word]] = field(default_factory=list)
    unset: list[str] = field(default_factory=list)


def launch(words: Sequence[Word]) -> Launch:
    """What these words run, as far as they tell."""
    found = Launch()
    left = deque(words)
    while left:
        word = left.popleft()
        name = None if word.text is None else posixpath.basename(word.text)
        if name is None:
            # Often an interpreter in a variable.
            if left and left[0].text is not None and left[0].text.endswith(".py"):
                found.command = left.popleft().text
            break
        if name in ("env", "time"):
            _env(found, left)
        elif name == "sudo":
            _sudo(found, left)
        elif name in _CONTAINERS:
            _container(found, left)
        elif name in _SHELLS:
            _shell(found, left)
            break
        elif _PYTHON.match(name):
            found.command = _script(left)
            break
        elif name in _LAUNCHERS:
            found.command = _launched(left)
            break
        elif name.endswith(".py") and "/" in (word.text or ""):
            found.command = word.text
            break
        elif name in _WRAPPERS:
            _skip(left)
        else:
            break
    if found.command is not None:
        found.words = [*left]
    return found


def assigned(word: Word) -> tuple[str, str | None] | None:
    """Name and value of a word such as `A=1`; the value is None where it is not known."""
    if word.text is not None:
        match = _ASSIGNED.fullmatch(word.text)
        return None if match is None else (match[1], match[2])
    match = _ASSIGNED.match(word.raw.lstrip("\"'"))
    return None if match is None else (match[1], None)


def _env(found: Launch, left: deque[Word]) -> None:
    while left:
        text = left[0].text or ""
        made = assigned(left[0])
        if text in ("-i", "-", "--ignore-environment"):
            found.clean = True
            left.popleft()
        elif text in ("-u", "--unset", "-C", "--chdir") and len(left) > 1:
            left.popleft()
            value = left.popleft().text
            if text in ("-u", "--unset") and value:
                found.unset.append(value)
        elif text.startswith("--unset="):
            found.unset.append(text.partition("=")[2])
            left.popleft()
        elif made is not None and not text.startswith("-"):
            found.given.append((*made, left.popleft()))
        elif text.startswith("-"):
            left.popleft()
        else:
            return


def _sudo(found: Launch, left: deque[Word]) -> None:
    """`sudo` starts with an environment of its own unless it is told to keep this one."""
    found.clean = True
    while left:
        text = left[0].text or ""
        made = assigned(left[0])
        if text.startswith("-"):
            if text.startswith(("-E", "--preserve-env")):
                found.clean = False
            left.popleft()
            if text in ("-u", "-g", "-h", "-p", "-C", "-r", "-t") and left:
                left.popleft()
        elif made is not None:
            found.given.append((*made, left.popleft()))
        else:
            return


def _container(found: Launch, left: deque[Word]) -> None:
    """`docker run -e A=1 image command`: nothing but what is given, and what the image says, is set inside."""
    if not any(word.text in ("run", "exec") for word in islice(left, 3)):
        left.clear()
        return
    found.clean = True
    while left and not _runs(left[0]):
        word = left.popleft()
        text = word.text or word.raw.lstrip("\"'")
        made = None
        if text in ("-e", "--env") and left:
            word = left.popleft()
            made = assigned(word)
        elif text.startswith(("-e", "--env=")) and not text.startswith("--env-file"):
            cut = len("--env=") if text.startswith("--env=") else len("-e")
            rest = None if word.text is None else word.text[cut:]
            made = assigned(Word(rest, text[cut:], word.start, word.end))
        if made is not None:
            found.given.append((*made, word))


def _shell(found: Launch, left: deque[Word]) -> None:
    for index, word in enumerate(left):
        text = word.text or ""
        if text.startswith("-") and not text.startswith("--") and text.endswith("c"):
            found.shell = left[index + 1] if index + 1 < len(left) else None
            return
        if not text.startswith(("-", "+")):
            return


def _script(left: deque[Word]) -> str | None:
    """The script among the words after `python`."""
    while left:
        text = left.popleft().text
        if text is None or text in ("-", "-c") or (text.startswith("-c") and not text.startswith("--")):
            return None
        if text == "-m":
            module = left.popleft().text if left else None
            if module in _LAUNCHER_MODULES:
                return _launched(left)
            return None if module is None else f"-m {module}"
        if text in _VALUED and left:
            left.popleft()
        elif not text.startswith("-"):
            return text
    return None


def _launched(left: deque[Word]) -> str | None:
    """The script among the words after `torchrun`, whose options may take the next word."""
    while left:
        text = left.popleft().text
        if text in ("-m", "--module") and left:
            module = left.popleft().text
            return None if module is None else f"-m {module}"
        if text is not None and text.endswith(".py") and not text.startswith("-"):
            return text
    return None


def _runs(word: Word) -> bool:
    name = posixpath.basename(word.text or "")
    return bool(_PYTHON.match(name)) or name in _LAUNCHERS or name in _SHELLS or name == "env"


def _skip(left: deque[Word]) -> None:
    """Leave out the options of a wrapper: all before the first word that is known to run something."""
    while left and not _runs(left[0]):
        text = left[0].text or ""
        if text.endswith(".py"):
            # `accelerate launch x.py`, `uv run x.py`
            left.appendleft(Word("python", "python", left[0].start, left[0].start))
            return
        if posixpath.basename(text) in _WRAPPERS or text == "sudo":
            return
        left.popleft()
