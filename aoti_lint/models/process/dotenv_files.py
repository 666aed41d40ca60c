"""`dotenv`: the variables that a `.env` file of the project sets, where the script reads it."""

from __future__ import annotations

import posixpath

from aoti_lint.language.data import containers
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function
from aoti_lint.models.process.options import truth_of
from aoti_lint.models.process.process import TABLE, write
from aoti_lint.models.process.settings_files import project_file
from aoti_lint.source.settings.dotenv import read_dotenv
from aoti_lint.text.problem import SourceProblem
from aoti_lint.values.call import Call
from aoti_lint.values.values import ABSENT, NONE, TRUE, Const, Sym, Unknown, Value

NAME = ".env"
"""The file that is looked for where none is named."""


def _file(m: Machine, call: Call) -> str | None:
    """The file that is read: the one that is named, or the nearest in the folder of the calling code and above."""
    path = m.see(call.arg(0, "dotenv_path") or NONE)
    if call.open or "stream" in call.kwargs:
        return None
    if path != NONE:
        return project_file(m, path, (NAME,))
    folder = posixpath.dirname(m.frame.module.path)
    while True:
        place = posixpath.join(folder, NAME)
        if m.project.is_file(place):
            return place
        if not folder:
            return None
        folder = posixpath.dirname(folder)


def _variables(m: Machine, call: Call) -> list[tuple[str, Value]] | None:
    """What the file sets, by name; None where it is not known which, or it cannot be read."""
    found = _file(m, call)
    source = None if found is None else m.project.source(found)
    if source is None:
        return None
    try:
        made = read_dotenv(source).assignments
    except SourceProblem:
        return None
    return [
        (one.name, Unknown(f"{found}::{one.name}", f"{one.name} of {found} is put together from other variables"))
        if one.value is None
        else (one.name, Sym(f"{found}::{one.name}", f"{one.name} of {found}", Const(one.value)))
        for one in made
    ]


@function("dotenv.load_dotenv", "dotenv.main.load_dotenv")
def _load(m: Machine, call: Call) -> Value:
    """What is set already stays, but with `override`."""
    pairs = _variables(m, call)
    override = truth_of(m, call.arg(3, "override"))
    if pairs is None or override is None:
        return m.unknown(call.node, "what a .env file sets")
    for name, value in pairs:
        if override or m.store.read(TABLE, name) in (None, ABSENT):
            write(m, call.node, Const(name), value)
    return TRUE


@function("dotenv.dotenv_values", "dotenv.main.dotenv_values")
def _values(m: Machine, call: Call) -> Value:
    pairs = _variables(m, call)
    if pairs is None:
        return m.unknown(call.node, "what a .env file sets")
    return containers.new_dict(m, containers.put((), [(Const(name), value) for name, value in pairs]))
