"""SIGTERM and SIGHUP, which end Python at once, unwind as Ctrl-C does: what was begun is cleaned up."""

from __future__ import annotations

import os
import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

    Before = dict[signal.Signals, object]


class Ended(BaseException):
    """The signal that asked this process to end. No `Exception`: nobody goes on after it."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def heed() -> Before:
    """Let both raise `Ended`, unless somebody else handles them. Gives what `restore` takes."""
    both = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    try:
        return {each: signal.signal(each, _end) for each in both if signal.getsignal(each) is signal.SIG_DFL}
    except ValueError:  # only the main thread may
        return {}


def restore(before: Before) -> None:
    """What was there before `heed`."""
    for each in before:
        signal.signal(each, signal.SIG_DFL)


def end_by(number: int) -> int:
    """End this process by the signal, so that whoever waits for it sees why. Gives the exit code where that is none."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    return 128 + number


def _end(number: int, frame: FrameType | None) -> None:
    # Only once: the second would cut off the cleaning up.
    signal.signal(number, signal.SIG_IGN)
    raise Ended(number)
