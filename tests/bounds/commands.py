"""Runs commands one after another in one process, as `aoti-lint` would: `commands.py PROJECT COMMANDS NAMES`.

COMMANDS is a file with a list of lists of words. In NAMES, if it is not "-", goes what was imported or looked for.
"""

import sys


class Noted:
    """A finder that finds nothing and notes what is asked for."""

    def __init__(self) -> None:
        self.names: set[str] = set(sys.modules)

    def find_spec(self, name: str, *_: object) -> None:
        """Called by the import system."""
        self.names.add(name)


def run(commands: list[list[str]]) -> None:
    """Run the commands; what they print goes where it goes."""
    from aoti_lint.__main__ import main

    for words in commands:
        sys.argv[1:] = words
        try:
            code = main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        # A command that cannot be run imports nothing.
        print("exit code", code, *words, file=sys.stderr)


if __name__ == "__main__":
    project, commands, names = sys.argv[1:]
    noted = Noted()
    if names != "-":
        sys.meta_path.insert(0, noted)
    sys.path.insert(0, project)
    with open(commands, encoding="utf-8") as file:
        # No module of the library reads it for us, as that would be imported before the path is safe.
        listed = eval(file.read(), {})
    run(listed)
    if names != "-":
        with open(names, "w", encoding="utf-8") as file:
            file.write("\n".join(noted.names | set(sys.modules)))
