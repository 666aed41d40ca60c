"""Tests of the torch version, as questions about the release."""

from __future__ import annotations

import operator
import re

from aoti_lint.language import access
from aoti_lint.language.truths import ask
from aoti_lint.machine import hooks
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import constant, function, method
from aoti_lint.torch_api.versions import SUPPORTED, VersionSet
from aoti_lint.values.call import Call
from aoti_lint.values.values import FALSE, NONE, Const, Ref, Sym, Tup, Value

OPERATORS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq}
FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}
OLDEST_PYTHON = (3, 8)
"""The oldest Python of any supported torch."""
VERSION = Ref(access.VERSION)
"""`torch.__version__`, and what parsing it gives."""


@constant("torch.__version__", "torch.version.__version__", "torch.torch_version.__version__")
def _version(m: Machine) -> Value:
    return VERSION


@constant("typing.TYPE_CHECKING", "typing_extensions.TYPE_CHECKING")
def _type_checking(m: Machine) -> Value:
    return FALSE


@function("packaging.version.parse", "packaging.version.Version", "pkg_resources.parse_version",
"torch.torch_version.TorchVersion",
          "distutils.version.LooseVersion", "looseversion.LooseVersion")  # fmt: skip
def _parse(m: Machine, call: Call) -> Value:
    def parsed(given: Value) -> Value:
        if _mentions(given):
            return VERSION
        return given if isinstance(given, Const) else m.unknown(call.node, "a version that is not known")

    return lift(m, call.arg(0, "version") or Const(""), parsed)


@function("torch._inductor.config.is_fbcode", "torch._environment.is_fbcode")
def _is_fbcode(m: Machine, call: Call) -> Value:
    """Whether torch was built in Meta's own repository: it then has no `torch.version.git_version`."""
    return FALSE


@function("importlib.metadata.version")
def _installed(m: Machine, call: Call) -> Value:
    return (
        VERSION
        if m.see(call.arg(0) or Const("")) == Const("torch")
        else m.unknown(call.node, "the version of a package")
    )


@function("re.match", "re.search", "re.fullmatch", "re.findall", "re.split", "re.sub")
def _taken_apart(m: Machine, call: Call) -> Value:
    """The version taken apart by an expression: still the version."""
    of_version = any(_mentions(m.see(v)) for v in call.values)
    return VERSION if of_version else m.unknown(call.node, "what a regular expression finds")


def _mentions(value: Value) -> bool:
    """Whether it is the version, or a tuple of its parts: `(major, minor)`."""
    if isinstance(value, Tup):
        return len(value.items) > 1 and all(map(_mentions, value.items))
    return isinstance(value, Ref) and value.name.startswith(VERSION.name)


def release_of(value: Value) -> tuple[int, ...] | None:
    """The release a version literal names: text such as `2.6.0`, or a tuple of numbers."""
    if isinstance(value, Const) and isinstance(value.value, str):
        found = re.match(r"v?\d+(?:\.\d+)*", value.value)
        return tuple(map(int, found[0].lstrip("v").split("."))) if found else None
    if (
        isinstance(value, Tup)
        and value.items
        and all(isinstance(i, Const) and isinstance(i.value, int) for i in value.items)
    ):
        return tuple(i.value for i in value.items if isinstance(i, Const) and isinstance(i.value, int))
    return None


def holds_for(m: Machine, op: str, a: Value, b: Value) -> tuple[VersionSet, str] | None:
    """The releases in which a comparison of torch's version with a literal is true; None if it is no such comparison.

    Text is compared as releases, which is what the code means even where it compares strings.
    """
    if _mentions(b) and not _mentions(a):
        a, b, op = b, a, FLIPPED.get(op, op)
    wanted = release_of(b)
    apply = OPERATORS.get(op)
    if not _mentions(a) or wanted is None or apply is None:
        return None
    wanted, patch = (*wanted, 0)[:2], wanted[2:]
    if any(patch) and ".".join(map(str, wanted)) in m.versions():
        return None  # Which patch release it is nobody says.
    held = VersionSet(v for v in SUPPORTED if apply(tuple(int(p) for p in str(v).split(".")), wanted))
    return held, f"torch {op} {'.'.join(map(str, wanted))}"


def python_holds(op: str, a: Value, b: Value) -> bool | None:
    """Whether a comparison with `sys.version_info` is decided by no supported torch running on Python before 3.8."""
    if not (isinstance(a, Sym) and a.key == "machine:sys.version_info"):
        return None
    wanted = release_of(b)
    if wanted is None or (*wanted, 0)[:2] > OLDEST_PYTHON:
        return None
    return {"<": False, "<=": False, ">=": True, ">": True}.get(op)


@function(VERSION.name)
def _of_version(m: Machine, call: Call) -> Value:
    """A method of the version, or of a part of it."""
    return VERSION


@function(access.VERSION_STARTS)
def _starts_with(m: Machine, call: Call) -> Value:
    """`torch.__version__.startswith("2.8")`: a question about the release, unless it asks for a patch release."""
    asked = m.see(call.arg(0) or NONE)
    texts = [
        one.value if isinstance(one, Const) else None for one in (asked.items if isinstance(asked, Tup) else [asked])
    ]
    starts = tuple(
        text for text in texts if isinstance(text, str) and text.count(".") < (3 if text.endswith(".") else 2)
    )
    if len(starts) < len(texts):
        return m.unknown(call.node, "which patch release of torch it is")
    answer = m.version_cond(
        VersionSet(v for v in SUPPORTED if f"{v}.".startswith(starts)), f"torch {' or '.join(starts)}"
    )
    return Const(answer) if isinstance(answer, bool) else ask(m, answer)


@method("Ref", "__getitem__")
def _item(m: Machine, call: Call, receiver: Value) -> Value:
    # `torch.__version__.split(".")[:2]`, `list[int]`, `Generic[T]`: what they are of stays what they are.
    return receiver


@hooks.compared_release.answers
def compared_release(m: Machine, op: str, a: Value, b: Value) -> Value | None:
    """A comparison with the version of torch, as a question about the release; None if it is none."""
    decided = python_holds(op, a, b)
    if decided is not None:
        return Const(decided)
    found = holds_for(m, op, a, b)
    if found is None:
        return None
    answer = m.version_cond(*found)
    return Const(answer) if isinstance(answer, bool) else ask(m, answer)
