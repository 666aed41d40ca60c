"""What an analysis depended on beside the files that were named, and whether that has changed since."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

from aoti_lint.files.cache import content_hash
from aoti_lint.source.discovery.context import Context, find_context
from aoti_lint.source.interest.mentions import Mentions
from aoti_lint.source.remembered.glances import Glances

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MODULE_SUFFIXES = ("", ".py", ".pyi")


class Dependencies:
    """Hashes of contents by path, of the modules in folders, of the list of context files and of those with a word.

    And what there was at each path that was asked about: a `folder`, a `file` or nothing.

    All paths are relative to the project root, with `/`.
    """

    __slots__ = ("_context", "_files", "_folders", "_there", "_words")

    def __init__(
        self,
        files: Mapping[str, str | None],
        folders: Mapping[str, Iterable[str]],
        context: Context | None,
        words: Mapping[str, Context] | None = None,
        there: Mapping[str, str] | None = None,
    ) -> None:
        """A file without a hash could not be read. `context` is None when no answer depended on it; `words` are those
        that files were searched for.

        `there` says of paths what `kind_of` gives.
        """
        self._files = dict(files)
        self._folders = {folder: _modules_hash(names) for folder, names in folders.items()}
        self._context = None if context is None else _context_hash(context)
        self._words = {word: _context_hash(found) for word, found in (words or {}).items()}
        self._there = dict(there or {})

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Dependencies:
        """The inverse of `to_json`."""
        made = cls({}, {}, None)
        made._files, made._folders, made._context = value["files"], value["folders"], value["context"]
        made._words = value["words"]
        made._there = value["there"]
        return made

    def to_json(self) -> dict[str, Any]:
        """As a value of JSON's types."""
        return {
            "files": self._files, "folders": self._folders, "context": self._context, "words": self._words,
            "there": self._there,
        }  # fmt: skip

    @property
    def files(self) -> Mapping[str, str | None]:
        """The files that were read, by path, with the hash of what each held; None where it could not be read."""
        return self._files

    @property
    def names(self) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """What was seen of names: by folder, a hash of the modules in it; and what there was at paths."""
        return self._folders, self._there

    def of_files(self, files: Mapping[str, str | None]) -> Dependencies:
        """The same, with other contents of the files."""
        return Dependencies.from_json({**self.to_json(), "files": files})

    def unchanged(self, root: str, named: Iterable[str], exclude: Sequence[str], glances: Glances) -> bool:
        """Whether all but what the files hold is as it was.

        `named` and `exclude` are those of the run, `glances` knows the files now.
        """
        mentions = Mentions(root, exclude, glances)
        return (
            same_names(
                *self.names,
                lambda path: _names(os.path.join(root, path)),
                lambda path: kind_of(os.path.join(root, path)),
            )
            and (
                self._context is None
                or self._context == _context_hash(find_context(root, named, exclude, glances.is_context))
            )
            and all(_context_hash(mentions.of(word)) == known for word, known in self._words.items())
        )


def same_names(
    folders: Mapping[str, str],
    there: Mapping[str, str],
    listing: Callable[[str], Iterable[str]],
    kind: Callable[[str], str],
) -> bool:
    """Whether names are what `Dependencies.names` told: `listing` gives those in a folder, `kind` what is at a path."""
    return all(_modules_hash(listing(folder)) == known for folder, known in folders.items()) and all(
        kind(path) == known for path, known in there.items()
    )


def kind_of(absolute: str) -> str:
    """What there is at a path: `folder`, `file` or an empty text."""
    return "folder" if os.path.isdir(absolute) else "file" if os.path.isfile(absolute) else ""


def _names(absolute: str) -> list[str]:
    try:
        return os.listdir(absolute)
    except (OSError, ValueError):
        return []


def _modules_hash(names: Iterable[str]) -> str:
    return _hash_of_modules(frozenset(names))


@lru_cache(maxsize=4096)
def _hash_of_modules(names: frozenset[str]) -> str:
    """Of the names in a folder, those an import could mean: a new data file or cache folder changes nothing."""
    modules = []
    for name in names:
        stem, suffix = os.path.splitext(name)
        if stem.isidentifier() and suffix in _MODULE_SUFFIXES and stem != "__pycache__":
            modules.append(name)
    return content_hash("\0".join(sorted(modules)).encode("utf-8", "surrogateescape"))


def _context_hash(context: Context) -> str:
    return content_hash("\0".join([str(context.complete), *context.files]).encode("utf-8", "surrogateescape"))
