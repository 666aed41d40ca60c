"""The document of a run over files of which lines have moved since."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from aoti_lint.source.remembered.layout import Moved


class _Lost(Exception):
    """A place is where no code was, or what is to be written there is no longer what stands there."""


def moved(document: dict[str, Any], files: Mapping[str, Moved]) -> dict[str, Any] | None:
    """A document that says the same with the rows of now; `files` are those that changed, by their names in it.

    None where that cannot be told.
    """
    names = "|".join(re.escape(name) for name in sorted(files, key=len, reverse=True))
    texts = re.compile(rf"(?<![\w./-])({names}):(\d+)")
    try:
        found: dict[str, Any] = _Rows(files, texts).of(document)
        return found
    except _Lost:
        return None


class _Rows:
    def __init__(self, files: Mapping[str, Moved], texts: re.Pattern[str]) -> None:
        self._files, self._texts = files, texts

    def of(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._texts.sub(lambda found: f"{found[1]}:{self._row(self._files[found[1]], int(found[2]))}", value)
        if isinstance(value, list):
            return [self.of(one) for one in value]
        if not isinstance(value, dict):
            return value
        made = {key: one if key in ("filename", "content") else self.of(one) for key, one in value.items()}
        file = self._files.get(made.get("filename", ""))
        if file is not None:
            self._place(made, file)
        return made

    def _place(self, value: dict[str, Any], file: Moved) -> None:
        points = [point for point in (value.get("location"), value.get("end_location")) if point is not None]
        if "content" in value and not file.whole(points[0]["row"], points[-1]["row"]):
            raise _Lost
        for point in points:
            point["row"] = self._row(file, point["row"])
        if "noqa_row" in value:
            value["noqa_row"] = self._row(file, value["noqa_row"])

    def _row(self, file: Moved, row: int) -> int:
        now = file.row(row)
        if now is None:
            raise _Lost
        return now
