from __future__ import annotations

import inspect
import json
import os
from pathlib import Path

import pytest

from aoti_lint.ir import codec, nodes
from aoti_lint.ir.lower import Bodies, lower

CONSTANTS = r"""
x = [None, True, False, 0, 1, -5, 1.5, 1e400, -1e400, 0.1, 2j, 1.5j, -0.0, ..., 'a', '', 'é\ud800\x00', b'', b'\xff']
y = 0x%s
z = {a: b for a, b in c}, {**d}, f'{e!r:>3}', a[::1], lambda: 0
""" % ("f" * 2000)


def same(source: str) -> None:
    bodies = Bodies(source, "a.py")
    module = lower(source, "a.py", bodies)
    for _ in range(2):
        text = codec.dumps(module)
        assert text.isascii()
        assert repr(codec.loads(text, bodies)) == repr(module)
        assert codec.loads(text.encode(), bodies) == module
        for one in module.body:
            if isinstance(one, nodes.FunctionDef):
                assert one.body


def test_constants() -> None:
    same(CONSTANTS)


def test_real_file() -> None:
    same((Path(os.__file__).parent / "typing.py").read_text(encoding="utf-8"))


def test_what_was_not_lowered_is_lowered_after_reading() -> None:
    source = "def f():\n" + "    yield f(1)\n" * 100
    module = lower(source, "a.py")
    read = codec.loads(codec.dumps(module), Bodies(source, "a.py")).body[0]
    assert isinstance(read, nodes.FunctionDef)
    assert isinstance(read.code, nodes.Later)
    assert read.is_generator
    assert len(read.body) == 100


@pytest.mark.parametrize("text", ["x = " + "a + " * 400 + "a", "if a: b\n" + "elif c: d\n" * 400])
def test_deep(text: str) -> None:
    module = lower(text, "a.py")
    same_text = codec.dumps(module)
    assert codec.dumps(codec.loads(same_text, Bodies(text, "a.py"))) == same_text


def test_every_class_has_a_number() -> None:
    concrete = {
        cls
        for _, cls in inspect.getmembers(nodes, inspect.isclass)
        if cls is not nodes.Node and issubclass(cls, nodes.Node)
    }
    assert set(codec._CLASSES) == concrete


@pytest.mark.parametrize(
    "text",
    ["", "{", "null", "[]", "[1, 2]", "[0]", "[0, 0, 1, 2, 3, 4, 5]", "[999, 0, 1]", '{"int": 3}', '{"a": 1, "b": 2}',
     json.dumps([1, 0, 1, {"complex": "x"}]), json.dumps([1, 0, 1, {"bytes": "zz"}]), "[" * 100_000],
)  # fmt: skip
def test_damaged(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        codec.loads(text, Bodies("", "a.py"))
