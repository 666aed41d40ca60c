"""The parser of every command: what it says of arguments quotes them."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import NoReturn

from aoti_lint.quoting.terminal import line


class Parser(ArgumentParser):
    """As Python's, for arguments that may be anybody's: names of files that a shell found."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, on one line, and exit with 2."""
        super().error(line(message))
