"""The parser of every command: what it says of arguments quotes them."""

from __future__ import annotations

import os
import sys
from argparse import SUPPRESS, ArgumentParser, RawDescriptionHelpFormatter

from aoti_lint.errors import did_you_mean
from aoti_lint.quoting.terminal import line
from aoti_lint.report.check.formats import FORMATS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Action
    from typing import Any, NoReturn


class Fitted(RawDescriptionHelpFormatter):
    """Keeps lines that are indented, as examples are, and fits paragraphs to the terminal, as it does the options."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        from aoti_lint.report.styled import paragraphs

        return "\n".join(paragraphs(text, width))


def fitted(prog: str, max_help_position: int = 24) -> Fitted:
    """A formatter for the width of the terminal.

    With a width, argparse does not import shutil, which it otherwise does for every argument it is told of.
    """
    asked = os.environ.get("COLUMNS", "")
    try:
        width = int(asked) if asked.isdecimal() and int(asked) else os.get_terminal_size().columns
    except OSError:
        width = 100
    return Fitted(prog, max_help_position=max_help_position, width=min(width, 120) - 2)


class Parser(ArgumentParser):
    """As Python's, for arguments that may be anybody's: names of files that a shell found.

    Options are written whole: what abbreviates one option today may mean another, or two, with the next release.
    """

    def __init__(self, **named: Any) -> None:
        named.setdefault("formatter_class", fitted)
        super().__init__(**named, allow_abbrev=False)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As Python's; an unknown option is told with the one that may be meant."""
        return self._whole(*self.parse_known_args(args, namespace))

    def parse_intermixed_args(self, args: Any = None, namespace: Any = None) -> Any:
        """The same, for paths between options; behind `--` all are paths, which Python forgets here before 3.12."""
        words = list(sys.argv[1:] if args is None else args)
        at = words.index("--") if "--" in words else len(words)
        paths = (os.path.join(".", path) if path.startswith("-") and path != "-" else path for path in words[at + 1 :])
        return self._whole(*self.parse_known_intermixed_args([*words[:at], *paths], namespace))

    def options(self) -> list[Action]:
        """What begins with a hyphen, and is shown."""
        return [action for action in self._actions if action.option_strings and action.help != SUPPRESS]

    def positionals(self) -> list[Action]:
        """What does not."""
        return [action for action in self._actions if not action.option_strings]

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, on one line, and exit with 2."""
        super().error(line(message))

    def _whole(self, parsed: Any, rest: list[str]) -> Any:
        if rest:
            self.error(self._unknown(rest))
        return parsed

    def _unknown(self, rest: list[str]) -> str:
        """What there is to say of arguments that nothing takes."""
        option = next((word.partition("=")[0] for word in rest if word.startswith("-") and word.strip("-")), None)
        if option is None:
            return f"this is one argument too many: {rest[0]}"
        known = [name for action in self.options() for name in action.option_strings]
        formats = next((action for action in self.options() if action.dest == "output_format"), None)
        if formats is not None and option.lstrip("-") in (formats.choices or FORMATS):
            return f"there is no option {option}; write --output-format {option.lstrip('-')}"
        if option.startswith("--fix"):
            return f"there is no option {option}: reports show what to write, and nothing is written into your files"
        begun = [name for name in known if name.startswith(option)]
        near = f"; these begin so: {', '.join(begun)}" if begun else did_you_mean(option, known)
        return f"there is no option {option}{near}"

    def _get_values(self, action: Action, arg_strings: list[str]) -> Any:
        # Before 3.13 Python takes `--` in `--option=--` for the end of the options, and gives an empty list.
        if action.option_strings and action.nargs is None and arg_strings == ["--"]:
            self.error(f"argument {'/'.join(action.option_strings)}: '--' is no value")
        return super()._get_values(action, arg_strings)
