"""The JSON of a notebook with other sources in its cells: all else of the text stays as it is written."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from aoti_lint.lazily.regex import regex

_SPACE = regex(r"[ \t\r\n]*")
_CLOSING = {"{": "}", "[": "]"}


def with_sources(text: str, sources: Mapping[int, str]) -> str:
    """`text`, valid JSON of a notebook, with these sources of cells, by their numbers from 1.

    A source that is written as a list of lines stays one, in the manner in which it is written.
    """
    plain = text.isascii()
    begin, _ = dict(members(text, text.index("{")))["cells"]
    cells = dict(members(text, begin))
    for number in sorted(sources, reverse=True):
        start, end = dict(members(text, cells[number - 1][0]))["source"]
        text = f"{text[:start]}{_written(text[start:end], sources[number], plain)}{text[end:]}"
    return text


def _written(before: str, source: str, plain: bool) -> str:
    """A source as JSON, where `before` is what is there; `plain`: with escapes for all that is not ASCII."""
    if before[0] != "[":
        return json.dumps(source, ensure_ascii=plain)
    items = [place for _, place in members(before, 0)]
    written = {str(json.loads(before[start:end])): before[start:end] for start, end in items}
    lines = [written.get(line) or json.dumps(line, ensure_ascii=plain) for line in source.splitlines(keepends=True)]
    if not items:
        return f"[{', '.join(lines)}]"
    gap = before[items[0][1] : items[1][0]] if len(items) > 1 else f",{before[1 : items[0][0]] or ' '}"
    return f"{before[: items[0][0]]}{gap.join(lines)}{before[items[-1][1] :]}"


def members(text: str, at: int) -> Iterator[tuple[str | int, tuple[int, int]]]:
    """The keys or places of what stands in the object or array that begins at `at`, and where that begins and ends."""
    decode, closing, index = json.JSONDecoder(strict=False).raw_decode, _CLOSING[text[at]], 0
    position = _after_space(text, at + 1)
    while text[position] != closing:
        key: str | int = index
        if closing == "}":
            key, position = decode(text, position)
            position = _after_space(text, _after_space(text, position) + 1)
        _, end = decode(text, position)
        yield key, (position, end)
        position = _after_space(text, end)
        if text[position] == ",":
            position = _after_space(text, position + 1)
        index += 1


def _after_space(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return position if found is None else found.end()
