"""Other programs: a script of the project that is started by this one runs there, with the words it is given."""

from __future__ import annotations

import posixpath
import re
import shlex
from typing import TYPE_CHECKING

from aoti_lint.interp import begun, containers, imports
from aoti_lint.interp.models import paths
from aoti_lint.interp.models.environment import ANY, TABLE, script_of
from aoti_lint.interp.models.registry import Call, function
from aoti_lint.interp.models.tools import raising_aside
from aoti_lint.interp.values import NONE, TRUE, Choice, Const, Namespace, Tup, Unknown, Value

if TYPE_CHECKING:
    from aoti_lint.interp.machine import Machine

PYTHON = re.compile(r"(.*/)?python[\d.]*(\.exe)?$")
STARTED = "#started"
"""The cell that holds the scripts which are being run because another started them."""
SHARED = ("files",)
"""What a program changes for others too."""


def _outside(name: str) -> None:
    @function(name)
    def model(m: Machine, site: Call) -> Value:
        start(m, site, m.see(site.arg(0, "args") or NONE))
        return m.unknown(site.node, "what another program gives")


for _name in (
    "subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.check_output", "subprocess.Popen",
    "subprocess.getoutput", "os.system", "os.popen", "os.execv", "os.execvp",
):  # fmt: skip
    _outside(_name)


def start(m: Machine, site: Call, command: Value) -> None:
    """Run the script of the project that a command starts, if it does."""
    if isinstance(command, Const) and isinstance(command.value, str):
        try:
            words: list[Value] | None = [Const(w) for w in shlex.split(command.value)]
        except ValueError:
            words = None
    else:
        words = containers.items_of(m, command)
    if not words or not is_python(m, words[0]):
        return
    words = [paths.as_text(m, m.see(w)) for w in words[1:]]
    while words and words[0] in (Const("-u"), Const("-O"), Const("-B")):
        words.pop(0)
    if len(words) > 1 and words[0] == Const("-m") and isinstance(words[1], Const):
        found = m.project.resolve(str(words[1].value), 0, m.frame.module.path)
        run_script(m, site, found, words[2:])
    elif words:
        run_script(m, site, script_at(m, words[0]), words[1:])


def is_python(m: Machine, word: Value) -> bool:
    word = paths.as_text(m, m.see(word))
    if isinstance(word, Const):
        return isinstance(word.value, str) and PYTHON.match(word.value) is not None
    return isinstance(word, Unknown) and word.key == "machine:sys.executable"


def script_at(m: Machine, word: Value) -> str | None:
    """The file of the project that a path means: from its root, or from the folder of the script that runs."""
    if isinstance(word, Choice):
        return None
    key = paths.path_key(m, word)
    if key[0] == f"<{paths.PROJECT_ROOT.key}>":
        key = key[1:]
        folders = [""]
    else:
        folders = [posixpath.dirname(script_of(m)), posixpath.dirname(m.frame.module.path), ""]
    if not key or not key[-1].endswith(".py") or any("<" in part or part == "/" for part in key):
        return None
    for folder in folders:
        path = posixpath.normpath(posixpath.join(folder, *key))
        if not path.startswith("..") and m.project.module(path) is not None:
            return path
    return None


def run_script(m: Machine, site: Call, path: str | None, words: list[Value]) -> None:
    """Run a file as a program of its own: it changes nothing here but files."""
    running = m.read("process", STARTED) or Tup(())
    if path is None or not isinstance(running, Tup) or Const(path) in running.items:
        return
    tree = m.project.module(path)
    if tree is None:
        return

    def run() -> None:
        m.store.write("process", STARTED, Tup((*running.items, Const(path))))
        m.store.write("process", "argv", Tup(tuple(words)))
        if "env" in site.kwargs or site.open:
            m.store.write(TABLE, ANY, TRUE)
        begun.forget(m)
        imports.execute(m, Namespace(path, m.fresh()), tree, "__main__")

    guards, m.guards = m.guards, []
    m.chain.append(m.span(site.node))
    try:
        with raising_aside(m):
            _, changes, _ = m.arm({}, run)
    finally:
        m.guards = guards
        m.chain.pop()
    m.store.commit({cell: value for cell, value in changes.items() if cell[0] in SHARED})


@function("runpy.run_path")
def _run_path(m: Machine, site: Call) -> Value:
    """A script run in this process, with the words this one was given."""
    if m.see(site.arg(2, "run_name") or NONE) == Const("__main__"):
        held = m.read("process", "argv")
        words = list(held.items) if isinstance(held, Tup) else []
        run_script(m, site, script_at(m, site.arg(0, "path_name") or NONE), words)
    return m.unknown(site.node, "the names of a script that was run")
