"""Telling which folders a run makes or is sure to have. Code we cannot follow may make any."""

from __future__ import annotations

from aoti_lint.language.data import paths
from aoti_lint.machine.changes import change
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.reader import EVENTS
from aoti_lint.values.call import Call
from aoti_lint.values.choices import leaves
from aoti_lint.values.events.event import Order
from aoti_lint.values.events.kinds import FOLDERS
from aoti_lint.values.folders import ANY, Key
from aoti_lint.values.values import Const, PathValue, Text, Value


def note(m: Machine, value: Value) -> None:
    """The run makes the folder `value`."""
    for _, leaf in leaves(m.see(value), m.root.path):
        _add(m, paths.path_key(m, leaf))


def note_file(m: Machine, value: Value) -> None:
    """The run opens, makes or moves the file `value`: its folder is there."""
    for _, leaf in leaves(m.see(value), m.root.path):
        key = paths.path_key(m, leaf)
        if len(key) > 1:
            _add(m, key[:-1])


def note_asked(m: Machine, value: Value, sure: bool) -> None:
    """The script asks for the folder `value`, and so cares for it; if not `sure`, it may ask for a file."""
    for _, leaf in leaves(m.see(value), m.root.path):
        key = paths.path_key(m, leaf)
        if sure or not any(c in key[-1] for c in ".<"):
            _add(m, key)


def note_any(m: Machine) -> None:
    """The run may make any folder from here on, or goes to another one."""
    _add(m, ANY)


def note_given(m: Machine, site: Call, effect: bool) -> None:
    """Code we do not know is called: it may make what it is given the path of, or anything if called for its effect."""
    if effect and site.discarded:
        note_any(m)
    for value in site.values:
        for _, leaf in leaves(m.see(value), m.root.path):
            named = isinstance(leaf, PathValue | Text) or (isinstance(leaf, Const) and isinstance(leaf.value, str))
            if named and (key := paths.path_key(m, leaf)) and not key[0].startswith("<"):
                _add(m, key)


def _add(m: Machine, key: Key) -> None:
    m.do(_made, m.root.name, key, m.facts.next_order)


@change(waits=lambda *_: (EVENTS, FOLDERS), once=lambda root, key, order: (root, key), ordered=False)
def _made(m: Machine, root: str, key: Key, order: Order) -> None:
    made = m.facts.folders.made.setdefault(root, {})
    made[key] = min(order, made.get(key, order))
