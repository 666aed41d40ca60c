"""Dockerfiles: `ENV`, `ARG`, and what `RUN`, `CMD` and `ENTRYPOINT` start with these.

The grammar is that of https://docs.docker.com/reference/dockerfile/.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.lazily.regex import regex
from aoti_lint.source.settings.launch import launch
from aoti_lint.source.settings.model import Assignment, Settings, Word
from aoti_lint.source.settings.scope import Scope
from aoti_lint.source.settings.shell import read_shell
from aoti_lint.source.settings.snippet import Snippet
from aoti_lint.source.settings.words import MAX_VALUE
from aoti_lint.source.text import Source
from aoti_lint.text.problem import SourceProblem

_DIRECTIVE = regex(r"#[ \t]*escape[ \t]*=[ \t]*([\\`])", re.IGNORECASE)
_INSTRUCTION = regex(r"[ \t]*([A-Za-z]+)(?:[ \t]+|$)")
_HEREDOC = regex(r"<<(-?)[ \t]*(['\"]?)(\w+)\2")
_NAME = regex(r"[A-Za-z_]\w*")
_VARIABLE = regex(r"\$(?:\{(\w+)(:?[-+][^}]*)?\}|(\w+))")
_OTHER_SHELL = regex(r"powershell|pwsh|cmd", re.IGNORECASE)
_FLAG = regex(r"--[\w-]+(?:=\S*)?[ \t]+")
_COMMANDS = frozenset({
    "ADD", "ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "EXPOSE", "FROM", "HEALTHCHECK", "LABEL", "MAINTAINER",
    "ONBUILD", "RUN", "SHELL", "STOPSIGNAL", "USER", "VOLUME", "WORKDIR",
})  # fmt: skip


@dataclass(slots=True)
class _Stage:
    """What one `FROM` began: its variables, and what the image runs."""

    scope: Scope = field(default_factory=Scope)
    arguments: dict[str, Assignment] = field(default_factory=dict)
    foreign: bool = False
    """Whether `SHELL` names another language."""
    entry: Snippet | None = None
    command: Snippet | None = None

    def copy(self) -> _Stage:
        return _Stage(self.scope.copy(), {}, self.foreign, self.entry, self.command)


def read_docker(source: Source) -> Settings:
    """What a Dockerfile sets and starts. Raises `SourceProblem` for a line that is no instruction."""
    settings, stage = Settings(source.path, packed=True), _Stage()
    named: dict[str, _Stage] = {}
    for verb, snippet, escape in _instructions(source):
        if verb == "FROM":
            _finish(settings, stage)
            words = snippet.text.split()
            base = next((word for word in words if not word.startswith("--")), "")
            stage = named[base.lower()].copy() if base.lower() in named else _Stage()
            if len(words) > 2 and words[-2].lower() == "as":
                named[words[-1].lower()] = stage
        elif verb == "ENV":
            for made in _assignments(snippet, stage.scope, escape):
                settings.set(made)
                stage.scope.export(made)
        elif verb == "ARG":
            for made in _arguments(snippet, stage.scope, escape):
                settings.set(made)
                if made.name not in stage.scope.exported:
                    stage.arguments[made.name] = made
                    stage.scope.names[made.name] = None
        elif verb == "WORKDIR":
            stage.scope.enter(_meant(snippet.text.strip(), stage.scope, escape))
        elif verb == "SHELL":
            stage.foreign = _OTHER_SHELL.search(snippet.text) is not None
        elif verb == "RUN" and not stage.foreign:
            scope = stage.scope.copy()
            scope.exported |= stage.arguments
            _run(snippet, settings, scope)
        elif verb == "ENTRYPOINT":
            # https://docs.docker.com/reference/dockerfile/#understand-how-cmd-and-entrypoint-interact
            stage.entry = snippet
        elif verb == "CMD":
            stage.command = snippet
    _finish(settings, stage)
    return settings.finish()


# ---------------------------------------------------------------- instructions


def _instructions(source: Source) -> Iterator[tuple[str, Snippet, str]]:
    """The instructions in capitals, with the text after each, its lines joined, and the escape character."""
    lines, escape, row = source.lines, "\\", 1
    directive = _DIRECTIVE.match(lines.line_text(1))
    if directive is not None:
        escape = directive[1]
    while row <= lines.rows:
        first, text, parts = row, "", []
        match = None
        while row <= lines.rows:
            line = lines.line_text(row)
            row += 1
            if not line.strip() or line.lstrip().startswith("#"):
                if match is None:
                    break
                continue
            start = 0
            if match is None:
                match = _INSTRUCTION.match(line)
                if match is None or match[1].upper() not in _COMMANDS:
                    offset = lines.offset(first, 1)
                    raise SourceProblem(source.path, "this line is no instruction of a Dockerfile", offset)
                start = match.end()
            parts.append((len(text), lines.byte_to_char(lines.offset(row - 1, 1)) + start))
            stripped = line.rstrip()
            if not stripped.endswith(escape):
                text += line[start:]
                break
            # A blank in place of the escape keeps the words of two rows apart as they are written.
            text += line[start : len(stripped) - 1]
        if match is None:
            continue
        verb = match[1].upper()
        yield verb, Snippet(source.path, lines, text, parts), escape
        if verb in ("RUN", "COPY", "ADD"):
            row = _after_heredocs(source, text, row)


def _after_heredocs(source: Source, text: str, row: int) -> int:
    """The row after the texts that an instruction announces."""
    for dash, _, word in _HEREDOC.findall(text):
        while row <= source.lines.rows:
            line = source.lines.line_text(row)
            row += 1
            if (line.lstrip("\t") if dash else line) == word:
                break
    return row


def _run(snippet: Snippet, settings: Settings, scope: Scope) -> None:
    """A `RUN`: shell, unless it is a list of words. Shell we do not understand is passed by."""
    skipped = 0
    while (flag := _FLAG.match(snippet.text, skipped)) is not None:
        skipped = flag.end()
    words = _exec_form(snippet, skipped)
    if words is not None:
        _start(settings, words, scope, snippet)
    elif not _HEREDOC.search(snippet.text):
        # Flags such as --mount are blanked out, so that the places stay.
        text = " " * skipped + snippet.text[skipped:]
        _shell(Snippet(snippet.path, snippet.lines, text, snippet.parts), settings, scope, ends=True)


def _shell(snippet: Snippet, settings: Settings, scope: Scope, *, ends: bool = False) -> None:
    try:
        read_shell(snippet, settings, scope, ends=ends)
    except SourceProblem:
        # Of another shell, such as that of Windows.
        pass


def _exec_form(snippet: Snippet, skipped: int = 0) -> list[Word] | None:
    """The words of `["python", "serve.py"]`; None for the shell form."""
    text = snippet.text[skipped:]
    if not text.lstrip().startswith("["):
        return None
    try:
        words = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        return None
    found, position = [], skipped
    for word in words:
        written = json.dumps(word, ensure_ascii=False)
        start = snippet.text.find(written, position)
        # A word with other escapes stands for the whole list.
        here = (start, start + len(written)) if start >= 0 else (skipped, len(snippet.text))
        position = here[1] if start >= 0 else position
        found.append(Word(word, word, *here))
    return found


def _finish(settings: Settings, stage: _Stage) -> None:
    """What the image of a stage runs: the entry point, with the command as its words."""
    entry = None if stage.entry is None else _exec_form(stage.entry)
    command = None if stage.command is None else _exec_form(stage.command)
    place = stage.entry or stage.command
    if place is None:
        return
    if stage.entry is not None and entry is None:
        _shell(stage.entry, settings, stage.scope.copy())
    elif entry is None and command is None:
        _shell(place, settings, stage.scope.copy())
    else:
        _start(settings, [*(entry or ()), *(command or ())], stage.scope, place)


def _start(settings: Settings, words: list[Word], scope: Scope, place: Snippet) -> None:
    found = launch(words)
    variables = {} if found.clean else dict(scope.exported)
    for name, value, _ in found.given:
        made = Assignment(name, value, place.span(0, len(place.text)))
        settings.set(made)
        variables[name] = made
    if found.shell is not None and found.shell.text is not None:
        span = place.span(0, len(place.text))
        inner = scope.copy()
        inner.exported = variables
        _shell(Snippet(place.path, place.lines, found.shell.text, [], span), settings, inner)
    elif found.command is not None:
        settings.start(scope.reached(found.command), place.span(0, len(place.text.rstrip())), variables, found.words)


# ---------------------------------------------------------------- variables


def _assignments(snippet: Snippet, scope: Scope, escape: str) -> list[Assignment]:
    """`ENV A=1 B="x y"`, or the old `ENV A the rest`; values see the variables of the lines before."""
    words = _split(snippet.text, escape)
    if words and "=" not in snippet.text[slice(*words[0])]:
        name = snippet.text[slice(*words[0])]
        if len(words) < 2 or not _NAME.fullmatch(name):
            return []
        last = len(snippet.text.rstrip())
        value = _meant(snippet.text[words[1][0] : last], scope, escape)
        return [Assignment(name, value, snippet.span(words[0][0], last))]
    found = []
    for start, end in words:
        name, _, value = snippet.text[start:end].partition("=")
        if _NAME.fullmatch(name):
            found.append(Assignment(name, _meant(value, scope, escape), snippet.span(start, end)))
    return found


def _arguments(snippet: Snippet, scope: Scope, escape: str) -> list[Assignment]:
    """`ARG A=1`: a default that `docker build --build-arg` may replace."""
    found = []
    for start, end in _split(snippet.text, escape):
        name, equals, value = snippet.text[start:end].partition("=")
        if equals and _NAME.fullmatch(name):
            meant = _meant(value, scope, escape)
            found.append(Assignment(name, meant, snippet.span(start, end), conditional=True))
    return found


def _split(text: str, escape: str) -> list[tuple[int, int]]:
    """Where the words stand: blanks in quotes, and those after the escape character, separate nothing."""
    words: list[tuple[int, int]] = []
    start, quote, position = None, "", 0
    while position < len(text):
        char = text[position]
        if char == escape and quote != "'":
            start = position if start is None else start
            position += 2
            continue
        if char.isspace() and not quote:
            if start is not None:
                words.append((start, position))
            start = None
        else:
            start = position if start is None else start
            if char in "'\"":
                quote = "" if quote == char else quote or char
        position += 1
    if start is not None:
        words.append((start, len(text)))
    return words


def _meant(written: str, scope: Scope, escape: str) -> str | None:
    """A value without its quotes, with the variables in it; None where one is not known."""
    out, quote, position = "", "", 0
    while position < len(written):
        char = written[position]
        if char == escape and quote != "'" and position + 1 < len(written):
            out += written[position + 1]
            position += 2
        elif char == "$" and quote != "'":
            match = _VARIABLE.match(written, position)
            value = None if match is None or match[2] else scope.names.get(match[1] or match[3])
            if match is None or value is None or len(out) + len(value) > MAX_VALUE:
                return None
            out += value
            position = match.end()
        else:
            if char in "'\"" and quote in ("", char):
                quote = "" if quote else char
            else:
                out += char
            position += 1
    return out
