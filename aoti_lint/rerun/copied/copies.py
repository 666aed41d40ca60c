"""Makes a copy of the user's folder, has programs run in it, says its paths as the user knows them, and removes it.

The copy stands below a new folder, the *base*, by the whole path of the original: `<base>/home/me/net`. So a path is
the user's again once the base is taken off. What is beside the folder, and beside those above it, is there as a link:
`../data` leads where it does, and a variable such as HOME may name one above: then `~/net` is the copy, too.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
from collections.abc import Mapping, Sequence

from aoti_lint.errors import CannotRun
from aoti_lint.files.opener import SOURCE, read_file
from aoti_lint.rerun.copied.survey import PREFIX, Part, Survey, amount, is_in

_LOCK = "lock"
_SMALL = 1 << 20
"""Bytes up to which a text may name the folder itself, so that it is looked at."""
_BESIDE = 1000
"""Entries of a folder above that are linked to, at most."""
_SPARE = 64 << 20
_TEMPORARY = frozenset({"TMPDIR", "TEMP", "TMP"})
"""Variables with a folder whose name has to be short: sockets are made there."""


class Copy:
    """A copy of the folders of a survey, made at once. Raises `CannotRun` if that cannot be done.

    `apart` is a folder of ours, which runs know where it is. `remove` is to be called at the end, whatever happens; a
    copy whose process was killed is removed by the next one.
    """

    def __init__(self, survey: Survey, apart: str) -> None:
        self.folders, self._survey = survey.folders, survey
        self._apart = (*survey.originals, apart, os.path.realpath(apart))
        self.drive = os.path.splitdrive(self.folders[0])[0]
        self._upper: set[str] = set()
        """Folders above, of which all is there."""
        self._named = _naming(r"(?:(?<![\w./\\-])|(?<=://)|(?<=-[IL]))", self.folders)
        self._stays = _naming("", self._apart)
        _remove_stale()
        where = os.path.realpath(tempfile.gettempdir())
        free = shutil.disk_usage(where).free
        if free < survey.size + _SPARE:
            raise CannotRun(f"the copy of your folder that the runs get needs {amount(survey.size)}, and {where} has "
                            f"{amount(free)} left; TMPDIR names another place")  # fmt: skip
        self.base, self._lock = "", -1
        try:
            self.base = tempfile.mkdtemp(prefix=PREFIX, dir=where)
            self._lock = _locked(os.path.join(self.base, _LOCK))
            self._make()
        except OSError as error:
            self.remove()
            name = error.filename or where
            raise CannotRun(f"a copy of your folder for the runs cannot be made: {name}: {error.strerror or error}; "
                            "--in-place runs it in the folder itself") from None  # fmt: skip
        except BaseException:
            self.remove()
            raise

    def path(self, path: str) -> str:
        """Where runs find what the user knows as the absolute `path`."""
        return self._below(path) if self._has(path) else path

    def inside(self, text: str) -> str:
        """A word or the value of a variable, for the runs: each path into the folders leads to the copy."""
        text = self._led(text)
        # One that goes through a link of the user's.
        head, equals, path = text.partition("=") if text.startswith("-") else ("", "", text)
        if path in self._upper:
            return f"{head}{equals}{self._below(path)}"
        if os.path.isabs(path) and "\0" not in path and not is_in(path, self.base) and os.path.lexists(path):
            real = os.path.realpath(path)
            if self._has(real):
                return f"{head}{equals}{self._below(real)}"
        return text

    def outside(self, text: str) -> str:
        """What runs say, with the paths that the user knows."""
        return text.replace(self.base, self.drive)

    def environment(self, variables: Mapping[str, str]) -> dict[str, str]:
        """The variables of a run."""
        return {
            name: value if name in _TEMPORARY else os.pathsep.join(map(self.inside, value.split(os.pathsep)))
            for name, value in variables.items()
        }

    def task(self) -> dict[str, object]:
        """What Python processes of a run are told of it."""
        return {"base": self.base, "folders": self.folders, "apart": self._apart, "linked": self._survey.linked}

    def remove(self) -> None:
        """Remove it, also what programs made read-only in it."""
        for _ in range(2):
            try:
                if self.base:
                    _remove(self.base)
                break
            except KeyboardInterrupt:
                # Pressed once more: it goes on.
                continue
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def _below(self, path: str) -> str:
        return self.base + os.path.splitdrive(path)[1]

    def _has(self, path: str) -> bool:
        """Whether a path is of the copy, and no link to the original."""
        mine = any(is_in(path, folder) for folder in self.folders)
        return mine and not any(is_in(path, one) for one in self._apart)

    def _led(self, text: str) -> str:
        """A text in which each path into the folders leads to the copy."""
        return self._named.sub(
            lambda found: found[0] if self._stays.match(text, found.start()) else self._below(found[0]), text
        )

    def _make(self) -> None:
        for folder in self.folders:
            self._above(folder)
        for part in self._survey.parts:
            self._put(part, self._below(part.path))
        for part in self._survey.parts:
            if part.kind == "link":
                self._keep_in(part.path, self._below(part.path))
        # Times and modes of folders last: each new file changes the one, and the other may forbid it.
        for part in reversed(self._survey.parts):
            if part.kind == "folder":
                shutil.copystat(part.path, self._below(part.path))

    def _above(self, folder: str) -> None:
        """The folders above one that is copied, with links to what else they have."""
        above = os.path.dirname(folder)
        if above == folder:
            return
        self._above(above)
        made = self._below(above)
        os.makedirs(made, exist_ok=True)
        try:
            names = os.listdir(above)
        except OSError:
            return
        if len(names) <= _BESIDE and os.path.dirname(above) != above:
            self._upper.add(above)
        for name in names[:_BESIDE]:
            path, target = os.path.join(above, name), os.path.join(made, name)
            holds = any(is_in(one, path) for one in self.folders)
            if not holds and name != ".git" and path != self.base and not os.path.lexists(target):
                os.symlink(path, target)

    def _put(self, part: Part, target: str) -> None:
        if part.kind == "folder":
            os.makedirs(target, exist_ok=True)
        elif part.kind == "file":
            self._copy(part.path, target)
        elif part.kind == "original":
            os.symlink(os.path.realpath(part.path), target)
        elif part.kind == "link":
            os.symlink(part.leads, target)
        elif part.kind == "pipe":
            os.mkfifo(target)
        else:
            os.makedirs(os.path.join(target, "info"))
            with open(os.path.join(target, "info", "alternates"), "w", encoding="utf-8") as file:
                file.write(f"{os.path.realpath(part.path)}\n")

    def _copy(self, path: str, target: str) -> None:
        try:
            if os.path.getsize(path) > _SMALL:
                shutil.copyfile(path, target)
            else:
                data = self._own_paths(read_file(path, SOURCE))
                with open(target, "xb") as file:
                    file.write(data)
        except PermissionError:
            # The program may not read it either.
            with open(target, "ab"):
                pass
        except FileNotFoundError:
            return  # gone meanwhile
        shutil.copystat(path, target)

    def _own_paths(self, data: bytes) -> bytes:
        """A script or a setting that names the folder itself means the copy there."""
        if b"\0" in data or not any(os.fsencode(folder) in data for folder in self.folders):
            return data
        return self._led(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")

    def _keep_in(self, path: str, target: str) -> None:
        """A link that led to the folder, or to one above it, and now leads to the original, shall lead to the copy."""
        real = os.path.realpath(path)
        mine = self._has(real) or any(is_in(folder, real) for folder in self.folders)
        if mine and not is_in(os.path.realpath(target), self.base):
            os.unlink(target)
            os.symlink(self._below(real), target)


def _naming(before: str, paths: Sequence[str]) -> re.Pattern[str]:
    """A pattern for what names one of these paths, or what is in it."""
    text = "|".join(re.escape(path) for path in sorted(paths, key=len, reverse=True))
    return re.compile(rf"{before}(?:{text})(?=$|[^\w.-]|\.(?:$|[^\w]))" if text else r"(?!)")


def _locked(path: str) -> int:
    """A file that is locked as long as this process lives, from when it is there."""
    descriptor = os.open(f"{path}.new", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX)
        os.rename(f"{path}.new", path)
    except (ImportError, OSError):
        pass  # then nobody else removes it
    return descriptor


def _remove_stale() -> None:
    """Remove copies of this user whose process was killed."""
    try:
        import fcntl
    except ImportError:
        return
    where = tempfile.gettempdir()
    for name in os.listdir(where):
        if not name.startswith(PREFIX):
            continue
        folder = os.path.join(where, name)
        try:
            status = os.lstat(folder)
            if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
                continue
            descriptor = os.open(os.path.join(folder, _LOCK), os.O_RDWR | os.O_NOFOLLOW)
        except OSError:
            continue
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(folder)
        except OSError:
            continue  # its process lives
        finally:
            os.close(descriptor)


def _remove(folder: str) -> None:
    """Remove a folder, also what was made read-only in it, or nested too deep for Python."""
    for attempt in range(2):
        try:
            for above, folders, _ in os.walk(folder) if attempt else ():
                for path in (os.path.join(above, name) for name in folders):
                    if not os.path.islink(path):
                        os.chmod(path, 0o700)
        except (OSError, RecursionError):
            pass
        try:
            shutil.rmtree(folder, ignore_errors=True)
        except RecursionError:
            pass
        if not os.path.lexists(folder):
            return
    if shutil.which("rm"):
        import subprocess

        subprocess.run(["rm", "-rf", "--", folder], check=False, stderr=subprocess.DEVNULL)
