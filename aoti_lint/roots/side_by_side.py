"""Roots that are run in several processes.

A helper is a copy of this process, as it is when there turns out to be much to do. It begins at the other end, and
keeps the units of what it runs where this process looks for them. This process takes all roots in their order: it does
again what helpers did, where that is right with all that was done before, and runs the others. So what is found is what
one process finds; a helper that ends early, or knew too little, costs time and nothing else.
"""

from __future__ import annotations

import gc
import mmap
import os
import select
import signal
import struct
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from aoti_lint.machine.recorded.recording import Recording

AFTER = 0.3
"""The CPU seconds that roots take before helpers are started: a copy of the process costs some hundredths."""
FEW = 4
"""For so few roots none is started."""
PATIENCE = 10.0
"""The seconds that the first process waits while no helper ends anything: then it does itself what it waits for."""
_PLACE = struct.Struct("i")
_BEGUN, _DONE = 1, 2


def in_turn(recording: Recording | None, paths: Iterable[str], run: Callable[[str], None], processes: int) -> None:
    """Run something for each path, in their order; so many processes take part where it turns out to be much."""
    todo, before = [*paths], time.process_time()
    for place, path in enumerate(todo):
        if (
            processes > 1
            and recording is not None
            and time.process_time() - before > AFTER
            and len(todo) - place >= FEW
            and recording.takes_from_others()
        ):
            with_helpers(todo[place:], run, processes - 1)
            return
        run(path)


def with_helpers(todo: Sequence[str], run: Callable[[str], None], helpers: int) -> None:
    """The same with so many helpers, whose units are found by whoever looks for them."""
    board = Board(todo)
    gc.freeze()
    own, started = os.getpid(), []
    try:
        with suppress(OSError):  # no memory, or no process more: those that there are, are enough
            for _ in range(helpers):
                helper = _copy()
                if not helper:
                    _help(board, run, own)
                started.append(helper)
        board.watch()
        for place, path in enumerate(todo):
            board.reach(place)
            run(path)
    finally:
        for helper in started:
            os.kill(helper, signal.SIGKILL)
            os.waitpid(helper, 0)
        board.close()
        gc.unfreeze()


def _copy() -> int:
    """Copy this process: the number of the copy, and 0 in the copy. Raises `OSError`."""
    with warnings.catch_warnings():
        # Where a line of progress is shown, another thread writes it: a helper neither has nor needs that.
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def _help(board: Board, run: Callable[[str], None], own: int) -> None:
    """Run what nobody has begun, from the other end, as long as the process that asked for help is there."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for path in board.take():
            run(path)
            if os.getppid() != own:
                break
    finally:
        # Nothing that stands further up in this process is to happen twice, whatever went wrong here.
        os._exit(0)


class Board:
    """What several processes know of the paths: which are begun, which are done, and how far the first process is."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = paths
        self._states = mmap.mmap(-1, len(paths) + _PLACE.size)
        self._queue, fill = os.pipe()
        self._ended, self._end = os.pipe()
        os.set_blocking(fill, False)
        with suppress(BlockingIOError):  # it is full: those before are for the first process alone
            for place in range(len(paths) - 1, -1, -1):
                os.write(fill, _PLACE.pack(place))
        os.close(fill)

    # ------------------------------------------------------------ a helper

    def take(self) -> Iterable[str]:
        """The paths that nobody has begun, the last one first; who asks for the next one has done this one."""
        while data := os.read(self._queue, _PLACE.size):
            (place,) = _PLACE.unpack(data)
            if place <= _PLACE.unpack(self._states[-_PLACE.size :])[0]:
                return
            self._states[place] = _BEGUN
            yield self._paths[place]
            self._states[place] = _DONE
            os.write(self._end, b".")

    # ------------------------------------------------------------ the first process

    def watch(self) -> None:
        """From now on only helpers can say that something is done."""
        os.close(self._end)

    def reach(self, place: int) -> None:
        """The first process is here; what a helper has begun it waits for, but not for ever."""
        self._states[-_PLACE.size :] = _PLACE.pack(place)
        while self._states[place] == _BEGUN:
            ready, _, _ = select.select([self._ended], [], [], PATIENCE)
            if not ready or not os.read(self._ended, 1):
                break

    def close(self) -> None:
        """Nobody asks any more."""
        os.close(self._queue)
        os.close(self._ended)
        self._states.close()
