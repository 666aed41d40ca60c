"""The commands there are: what each takes, and what it is for."""

from __future__ import annotations

import os

from aoti_lint.errors import CannotRun, did_you_mean
from aoti_lint.files.near import names_in

COMMANDS = {
    "check": ("[PATH...]", "look for mistakes in files; the command where none is named"),
    "completion": ("SHELL", "a script that lets bash, zsh or fish complete all of this"),
    "contract": ("FILE", "what a compiled model takes, and a validator for it in Python or C++"),
    "explain": ("[NAME...]", "what a rule finds, or what a variable, setting or file of torch is for"),
    "inspect": ("FILE [FILE]", "what a program or a package says, or what differs between two"),
    "map": ("[PATH...]", "draw who exports, compiles, loads and calls what, as a page or a diagram"),
    "merge": ("REPORT...", "several JSON reports as one, such as those of all shards"),
    "probe": ("TARGET...", "run custom operators and their fakes, and compare the two"),
    "rerun": ("SCRIPT", "plan the runs that find out which kernel or operator is to blame"),
    "schema": ("[DOCUMENT]", "the JSON Schema of what a command prints, or of the configuration"),
    "tensors": ("DIR [DIR]", "what the debug printer saved, and where bad values begin"),
    "triage": ("LOG|-", "name the cause of a failed run from what it printed"),
    "verify": ("FILE", "run a package against the program it was compiled from"),
}
"""The first argument may be one of these; without one the command is `check`."""


def refuse_mistyped(words: list[str]) -> None:
    """Raise `CannotRun` where the first word names no command, and no file, but nearly a command or an option."""
    first = words[0] if words else ""
    if first.isalpha() and not os.path.lexists(first):
        if first in ("help", "version"):
            raise CannotRun(f"there is no command {first!r}; write aoti-lint --{first}")
        near = did_you_mean(first, [*COMMANDS, *names_in("")])
        if near:
            raise CannotRun(f"there is no command and no file or folder {first!r}{near}")
