"""Chooses the command and turns what goes wrong into an exit code.

0: nothing found. 1: findings. 2: the job could not be done. 130: interrupted.
"""

from __future__ import annotations

import errno
import os
import sys
import warnings

from aoti_lint.cli.shared.commands import COMMANDS, refuse_mistyped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

_FULL = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; gives the exit code."""
    _open_closed()
    words = list(sys.argv[1:] if arguments is None else arguments)
    command = words.pop(0) if words and words[0] in COMMANDS else ""
    from aoti_lint.cli.shared import signals
    from aoti_lint.files import opener

    before = signals.heed()
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _warned
            return _coded(command, words)
    except signals.Ended as ended:
        return signals.end_by(ended.number)
    finally:
        signals.restore(before)
        # What this command passed over is not said by the next one in this process.
        opener.forget()


def _open_closed() -> None:
    """Standard streams that the shell has closed (`>&-`) hold nothing; no file of ours gets their number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def _coded(command: str, words: list[str]) -> int:
    """Run a command; whatever goes wrong is said, and becomes a code."""
    from aoti_lint.errors import CannotRun
    from aoti_lint.quoting.terminal import lines, tell

    try:
        code = _command(command, words)
        _flush()
        return code
    except CannotRun as error:
        tell(f"aoti-lint: error: {error}")
        return 2
    except KeyboardInterrupt:
        tell("aoti-lint: interrupted")
        return 130
    except BrokenPipeError:
        # The reader of our output has gone before it was known what to say.
        _silence()
        return 2
    except Exception as error:
        from aoti_lint.isolated.safe_path import left_out

        if isinstance(error, ModuleNotFoundError) and left_out and not str(error.name).startswith("aoti_lint"):
            tell(f"aoti-lint: error: there is no module {error.name}; nothing is imported from {', '.join(left_out)}, "
                 "as a checked tree is there: install aoti-lint together with what it needs")  # fmt: skip
            return 2
        # Files that we write are CannotRun then: it is standard output.
        if isinstance(error, OSError) and error.errno in _FULL:
            _silence()
            tell(f"aoti-lint: error: standard output: {error.strerror}")
            return 2
        # Not the default of Python, whose exit code 1 would say "findings".
        import traceback

        for line in lines(traceback.format_exc().rstrip("\n")):
            tell(line)
        tell("aoti-lint: this is a bug in aoti-lint; please report it with the lines above")
        return 2


def _warned(
    message: Warning | str, category: type[Warning], filename: str, lineno: int,
    file: TextIO | None = None, line: str | None = None,
) -> None:  # fmt: skip
    """What Python and torch warn of quotes sources and archives as well."""
    from aoti_lint.quoting.terminal import lines, tell

    for each in lines(warnings.formatwarning(message, category, filename, lineno, line).rstrip("\n")):
        tell(each)


def _flush() -> None:
    """Write what is left. That nobody reads it to its end (`| head`) changes no exit code."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _silence()


def _silence() -> None:
    from aoti_lint.report.output import silence

    silence()


def _command(command: str, words: list[str]) -> int:
    if command == "completion":
        from aoti_lint.cli.completion import run
    elif command == "contract":
        from aoti_lint.cli.contract import run
    elif command == "explain":
        from aoti_lint.cli.explain.explain import run
    elif command == "inspect":
        from aoti_lint.cli.inspect import run
    elif command == "map":
        from aoti_lint.cli.map import run
    elif command == "merge":
        from aoti_lint.cli.merge import run
    elif command == "probe":
        from aoti_lint.cli.probe import run
    elif command == "rerun":
        from aoti_lint.cli.rerun import run
    elif command == "schema":
        from aoti_lint.cli.schema import run
    elif command == "tensors":
        from aoti_lint.cli.tensors import run
    elif command == "triage":
        from aoti_lint.cli.triage import run
    elif command == "verify":
        from aoti_lint.cli.verify import run
    else:
        if not command:
            refuse_mistyped(words)
        from aoti_lint.cli.check.check import run
    return run(words)
