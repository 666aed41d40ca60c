"""What a package says, as words of a script: names that are names, and values."""

from __future__ import annotations

from aoti_lint.quoting.python import Python, dotted, form, string
from aoti_lint.rerun.wrapper.errors import NoRepro


def name(text: str) -> Python:
    """A name, or several with dots between them. Raises `NoRepro` for anything else."""
    found = dotted(text)
    if found is None:
        raise NoRepro(f"the package has {text!r} where a name of Python belongs")
    return found


def given(tensor: str) -> Python:
    """A tensor that the launch is given."""
    return form("given[@NAME@]", NAME=string(name(tensor)))
