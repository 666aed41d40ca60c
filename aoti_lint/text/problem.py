"""What is said of a source that cannot be read."""

from __future__ import annotations


class SourceProblem(Exception):
    """A source that cannot be read, decoded or parsed.

    `path` is relative to the project root, `offset` a UTF-8 byte offset of the decoded text where the place is known.
    """

    def __init__(self, path: str, message: str, offset: int | None = None) -> None:
        super().__init__(path, message, offset)
        self.path = path
        self.message = message
        self.offset = offset

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"
