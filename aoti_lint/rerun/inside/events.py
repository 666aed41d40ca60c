"""Notes what happens in this process, one JSON object a line; what was noted is on disk before the call goes on."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from typing import Any

_write, _open, _close = os.write, os.open, os.close
FIRST, LATER = 8 << 20, 4 << 20
"""Bytes kept of the first events of a process, and at least of the last ones."""


class Events:
    """The file of this process in `folder`. A fork gets one of its own."""

    def __init__(self, folder: str) -> None:
        self._folder, self._lock = folder, threading.RLock()
        self._pid, self._file, self._size, self._turn, self._number = 0, -1, 0, 0, 0

    def write(self, event: str, **fields: Any) -> int:
        """Note an event; gives its number, by which later events name it. Never raises."""
        try:
            with self._lock:
                if self._pid != os.getpid():
                    self._begin()
                self._number += 1
                head = {"event": event, "number": self._number, "time": time.time(), "pid": self._pid}
                line = (json.dumps({**head, **fields}, default=str) + "\n").encode("utf-8", "replace")
                self._size += len(line)
                if self._size > (LATER if self._turn else FIRST):
                    self._turn += 1
                    self._reopen()
                    self._size = len(line)
                _write(self._file, line)
                return self._number
        except Exception:
            return 0

    def raised(self, what: str, number: int, error: BaseException, **fields: Any) -> None:
        """Note that the call with this number, of a kind, raised an error."""
        message = str(error).strip().partition("\n")[0][:1000]
        self.write("raised", of=number, what=what, type=type(error).__name__, message=message, **fields)

    def note(self, text: str, error: BaseException | None = None) -> None:
        """Say that something of ours went wrong, and what the program has to do without."""
        self.write("note", text=f"{text}: {type(error).__name__}: {error}" if error is not None else text)

    def _begin(self) -> None:
        self._pid, self._file, self._size, self._turn = os.getpid(), -1, 0, 0
        self._started = time.time_ns()
        self._reopen()

    def _reopen(self) -> None:
        """The first file is kept; of the later ones, the last two."""
        if self._file >= 0:
            _close(self._file)
        part = 0 if not self._turn else 1 + self._turn % 2
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | getattr(os, "O_BINARY", 0)
        self._file = _open(os.path.join(self._folder, f"{self._started}-{self._pid}.{part}.jsonl"), flags, 0o644)
        if sys.platform != "win32":
            os.set_inheritable(self._file, False)
