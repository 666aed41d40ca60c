"""The parser of every command: what it says of arguments quotes them."""

from __future__ import annotations

from argparse import ArgumentParser

from aoti_lint.quoting.terminal import line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Action
    from typing import Any, NoReturn


class Parser(ArgumentParser):
    """As Python's, for arguments that may be anybody's: names of files that a shell found."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, on one line, and exit with 2."""
        super().error(line(message))

    def _get_values(self, action: Action, arg_strings: list[str]) -> Any:
        # Before 3.13 Python takes `--` in `--option=--` for the end of the options, and gives an empty list.
        if action.option_strings and action.nargs is None and arg_strings == ["--"]:
            self.error(f"argument {'/'.join(action.option_strings)}: '--' is no value")
        return super()._get_values(action, arg_strings)
