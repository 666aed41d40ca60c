"""Other programs: a script of the project that is started by this one runs there, with the words it is given."""

from __future__ import annotations

import posixpath
import re
import shlex

from aoti_lint.language import imports
from aoti_lint.language.data import containers, paths
from aoti_lint.language.effects import torch_imports
from aoti_lint.lazily.regex import regex
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function
from aoti_lint.models.process import handed_variables, process
from aoti_lint.models.process.options import script_of
from aoti_lint.values.call import Call
from aoti_lint.values.values import NONE, Choice, Const, Namespace, Tup, Unknown, Value

PYTHON = regex(r"(.*/)?python[\d.]*(\.exe)?$")
ASSIGNED = regex(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
STARTED = "#started"
"""The cell that holds the scripts which are being run because another started them."""
SHARED = ("files",)
"""What a program changes for others too."""


def _command(name: str) -> None:
    @function(name)
    def model(m: Machine, site: Call) -> Value:
        start(m, site, m.see(site.arg(0, "args") or site.arg(None, "cmd") or NONE), given_to(m, site))
        return m.unknown(site.node, "what another program gives")


for _name in (
    "subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.check_output", "subprocess.Popen",
    "subprocess.getoutput", "subprocess.getstatusoutput", "os.system", "os.popen", "asyncio.create_subprocess_shell",
):  # fmt: skip
    _command(_name)


def _listed(name: str, first: int, environ: bool) -> None:
    """Functions that take a program at `first`, then its words as a list, and then its variables if `environ`."""

    @function(name)
    def model(m: Machine, site: Call) -> Value:
        words = containers.items_of(m, site.arg(first + 1) or NONE)
        if words is not None and len(site.args) > first:
            given = m.see(site.arg(first + 2, "env") or NONE) if environ else NONE
            start(m, site, Tup((site.args[first], *words[1:])), given)
        return m.unknown(site.node, "what another program gives")


def _spread(name: str, first: int, environ: bool) -> None:
    """Functions that take the words one by one, the program again as the first of them."""

    @function(name)
    def model(m: Machine, site: Call) -> Value:
        words = site.args[first:]
        if not site.open and len(words) > 1:
            given = m.see(words.pop()) if environ else NONE
            start(m, site, Tup((words[0], *words[2:])), given)
        return m.unknown(site.node, "what another program gives")


for _name in ("os.execv", "os.execvp"):
    _listed(_name, 0, False)
for _name in ("os.execve", "os.execvpe", "os.posix_spawn", "os.posix_spawnp"):
    _listed(_name, 0, True)
for _name in ("os.spawnv", "os.spawnvp"):
    _listed(_name, 1, False)
for _name in ("os.spawnve", "os.spawnvpe"):
    _listed(_name, 1, True)
for _name in ("os.execl", "os.execlp"):
    _spread(_name, 0, False)
for _name in ("os.execle", "os.execlpe"):
    _spread(_name, 0, True)
for _name in ("os.spawnl", "os.spawnlp"):
    _spread(_name, 1, False)
for _name in ("os.spawnle", "os.spawnlpe"):
    _spread(_name, 1, True)


@function("asyncio.create_subprocess_exec")
def _asynchronous(m: Machine, site: Call) -> Value:
    start(m, site, Tup(tuple(site.args)), given_to(m, site))
    return m.unknown(site.node, "what another program gives")


def given_to(m: Machine, site: Call) -> Value:
    """The variables a program is started with; None: those of this process."""
    if "env" in site.kwargs:
        return m.see(site.kwargs["env"])
    return m.unknown(site.node, "the variables of a program") if site.open else NONE


def start(m: Machine, site: Call, command: Value, given: Value = NONE) -> None:
    """Run the script of the project that a command starts, if it does, with the variables it is given."""
    handed_variables.tell_child(m, site.node, given)
    if isinstance(command, Const) and isinstance(command.value, str):
        try:
            words: list[Value] | None = [Const(w) for w in shlex.split(command.value)]
        except ValueError:
            words = None
        if words:
            given = _in_front(m, site, words, given)
    else:
        words = containers.items_of(m, command)
    if not words or not is_python(m, words[0]):
        return
    words = [paths.as_text(m, m.see(w)) for w in words[1:]]
    while words and words[0] in (Const("-u"), Const("-O"), Const("-B")):
        words.pop(0)
    if len(words) > 1 and words[0] == Const("-m") and isinstance(words[1], Const):
        found = m.project.resolve(str(words[1].value), 0, m.frame.module.path)
        run_script(m, site, found, words[2:], given)
    elif words:
        run_script(m, site, script_at(m, words[0]), words[1:], given)


def _in_front(m: Machine, site: Call, words: list[Value], given: Value) -> Value:
    """Take `A=1` off the front of the words of a shell; gives the variables with these."""
    pairs: list[tuple[Value, Value]] = []
    while words and isinstance(words[0], Const) and (match := ASSIGNED.fullmatch(str(words[0].value))):
        value: Value = Const(match[2])
        if "$" in match[2] or "`" in match[2]:
            value = m.unknown(site.node, "what a shell puts in")
        pairs.append((Const(match[1]), value))
        words.pop(0)
    if not pairs:
        return given
    inherited = given == NONE or process.is_environment(given)
    around = handed_variables.copy_of(m, given if process.is_environment(given) else process.ENVIRON)
    if not inherited:
        handed_variables.lose(m, around)
    process.update(m, site.node, pairs, around)
    handed_variables.tell_child(m, site.node, around)
    return around


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


def run_script(m: Machine, site: Call, path: str | None, words: list[Value], given: Value = NONE) -> None:
    """Run a file as a program of its own: it changes nothing here but files."""
    running = m.read("process", STARTED) or Tup(())
    if path is None or not isinstance(running, Tup) or Const(path) in running.items:
        return
    tree = m.project.module(path)
    if tree is None:
        return

    with m.running(m.root.within(name=path, guards=[], chain=[*m.root.chain, m.span(site.node)])) as changes:
        m.store.write("process", STARTED, Tup((*running.items, Const(path))))
        m.store.write("process", "argv", Tup(tuple(words)))
        handed_variables.hand_on(m, given)
        torch_imports.forget(m)
        imports.execute(m, Namespace(path, m.fresh()), tree, "__main__")
    m.store.commit({cell: value for cell, value in changes.items() if cell[0] in SHARED})


@function("runpy.run_path")
def _run_path(m: Machine, site: Call) -> Value:
    """A script run in this process, with the words this one was given."""
    if m.see(site.arg(2, "run_name") or NONE) == Const("__main__"):
        held = m.read("process", "argv")
        words = list(held.items) if isinstance(held, Tup) else []
        run_script(m, site, script_at(m, site.arg(0, "path_name") or NONE), words)
    return m.unknown(site.node, "the names of a script that was run")
