"""Runs a pickle without running anything: an abstract machine over the opcodes that `pickletools` decodes.

It builds the values of `values.py`. Where unpickling would import, call or instantiate, it notes a description instead.
It never recurses, and every loop and every allocation is bounded by the length of the pickle and the limits below.
"""

from __future__ import annotations

import io
import pickletools
from collections.abc import Callable

from aoti_lint.program.errors import Unreadable
from aoti_lint.program.weights.naming import clean, quoted
from aoti_lint.program.weights.values import Dict, Global, Opaque, Value

MAX_OPCODES = 1_500_000
"""A tensor takes 30 in a state dict, so this is fifty thousand of them; it takes a second."""

MAX_LINE = 1 << 16
MAX_INT = 2**64

Call = Callable[[Global, tuple[Value, ...]], Value]
"""What a global called with arguments gives."""

_MARK = object()
_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
_PLAIN = {"BININT", "BININT1", "BININT2", "INT", "LONG", "LONG1", "LONG4", "BINFLOAT", "FLOAT",
          "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8", "UNICODE"}  # fmt: skip
_TEXT_OR_BYTES = {"STRING", "BINSTRING", "SHORT_BINSTRING"}
_BYTES = {"BINBYTES", "SHORT_BINBYTES", "BINBYTES8", "BYTEARRAY8"}
_TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
_PUTS = {"PUT", "BINPUT", "LONG_BINPUT"}
_GETS = {"GET", "BINGET", "LONG_BINGET"}
_NOTHING = {"PROTO", "FRAME", "READONLY_BUFFER"}


class _Lines(io.BytesIO):
    """The bytes of a pickle, whose lines end after `MAX_LINE` bytes: the `int` of millions of digits takes hours."""

    def readline(self, size: int | None = -1, /) -> bytes:
        return super().readline(MAX_LINE)


def run(pickle: bytes, call: Call, persistent: Callable[[Value], Value]) -> Value:
    """The value that a pickle describes.

    `call` gives the result of calling a global, `persistent` the value for a persistent id. Raises Unreadable; its text
    says what is wrong with "it", the pickle.
    """
    machine = _Machine(call, persistent)
    count = 0
    try:
        for opcode, argument, _ in pickletools.genops(_Lines(pickle)):
            count += 1
            if count > MAX_OPCODES:
                raise Unreadable(f"it has more than {MAX_OPCODES} steps, more than a state dict takes")
            machine.step(opcode.name, argument)
    except (ValueError, OverflowError) as problem:  # of pickletools: unknown opcodes, a missing end, bad text
        raise Unreadable(f"it is damaged or cut off ({clean(str(problem)[:120])})") from None
    except LookupError:
        raise Unreadable("it is damaged: it takes a value that it has not made") from None
    return machine.result


class _Machine:
    def __init__(self, call: Call, persistent: Callable[[Value], Value]) -> None:
        self.stack: list[Value] = []
        self.memo: dict[int, Value] = {}
        self.result: Value = None
        self._call = call
        self._persistent = persistent

    def step(self, code: str, argument: object) -> None:
        """One opcode; `argument` is as `pickletools` decodes it. Raises IndexError, KeyError, Unreadable."""
        push = self.stack.append
        if code in _GETS:
            assert isinstance(argument, int)
            push(self.memo[argument])
        elif code == "MEMOIZE":
            self.memo[len(self.memo)] = self.stack[-1]
        elif code in _PUTS:
            assert isinstance(argument, int)
            self.memo[argument] = self.stack[-1]
        elif code in _PLAIN:
            push(argument if not isinstance(argument, int) or abs(argument) < MAX_INT else Opaque("a huge int"))
        elif code in _CONSTANTS:
            push(_CONSTANTS[code])
        elif code in _TUPLES:
            size = _TUPLES[code]
            items = self.stack[-size:]
            if len(items) < size or _MARK in items:
                raise IndexError
            del self.stack[-size:]
            push(tuple(items))
        elif code == "MARK":
            push(_MARK)
        elif code == "TUPLE":
            push(tuple(self._since_mark()))
        elif code == "EMPTY_TUPLE":
            push(())
        elif code == "REDUCE":
            arguments, function = self._pop(), self._pop()
            push(self._reduced(function, arguments))
        elif code == "BINPERSID":
            push(self._persistent(self._pop()))
        elif code == "GLOBAL":
            module, _, name = str(argument).partition(" ")
            push(Global(module, name))
        elif code == "STACK_GLOBAL":
            last, first = self._pop(), self._pop()
            if not isinstance(first, str) or not isinstance(last, str):
                raise Unreadable("it is damaged: it imports something that has no name")
            push(Global(first, last))
        elif code == "STOP":
            self.result = self._pop()
        elif code not in _NOTHING:
            self._rarer(code, argument)

    def _rarer(self, code: str, argument: object) -> None:
        push = self.stack.append
        if code in ("EMPTY_LIST", "LIST"):
            push([] if code == "EMPTY_LIST" else self._since_mark())
        elif code in ("EMPTY_DICT", "DICT"):
            made = Dict()
            if code == "DICT":
                _fill(made, self._since_mark())
            push(made)
        elif code == "APPEND":
            value = self._pop()
            if isinstance(top := self._top(), list):
                top.append(value)
        elif code == "APPENDS":
            values = self._since_mark()
            if isinstance(top := self._top(), list):
                top.extend(values)
        elif code == "SETITEM":
            value, key = self._pop(), self._pop()
            if isinstance(top := self._top(), Dict):
                top.put(key, value)
        elif code == "SETITEMS":
            values = self._since_mark()
            if isinstance(top := self._top(), Dict):
                _fill(top, values)
        elif code == "BUILD":
            # The state of a dict or of a tensor's class (such as `_metadata`) changes no name and no shape.
            self._pop()
            self._top()
        elif code in ("NEWOBJ", "NEWOBJ_EX"):
            if code == "NEWOBJ_EX":
                self._pop()
            arguments, kind = self._pop(), self._pop()
            push(self._reduced(kind, arguments))
        elif code == "OBJ":
            values = self._since_mark()
            push(_made_by(values[0]))
        elif code == "INST":
            self._since_mark()
            push(_made_by(Global(*str(argument).split(" ", 1))))
        elif code in _TEXT_OR_BYTES:
            push(argument if isinstance(argument, str) else Opaque("bytes"))
        elif code in _BYTES:
            push(Opaque("bytes"))
        elif code in ("EMPTY_SET", "FROZENSET"):
            if code == "FROZENSET":
                self._since_mark()
            push(Opaque("a set"))
        elif code == "ADDITEMS":
            self._since_mark()
        elif code == "DUP":
            push(self._top())
        elif code == "POP":
            self.stack.pop()
        elif code == "POP_MARK":
            self._since_mark()
        elif code == "PERSID":
            push(self._persistent(argument))
        elif code in ("EXT1", "EXT2", "EXT4"):
            push(Opaque("an object of a registered extension"))
        elif code == "NEXT_BUFFER":
            push(Opaque("a buffer outside the file"))
        else:
            raise Unreadable(f"it has a step that is not known here, {quoted(code)}")

    def _top(self) -> Value:
        if self.stack[-1] is _MARK:
            raise IndexError
        return self.stack[-1]

    def _pop(self) -> Value:
        if self.stack[-1] is _MARK:
            raise IndexError
        return self.stack.pop()

    def _since_mark(self) -> list[Value]:
        at = len(self.stack) - 1
        while self.stack[at] is not _MARK:
            if at == 0:
                raise IndexError
            at -= 1
        values = self.stack[at + 1 :]
        del self.stack[at:]
        return values

    def _reduced(self, function: Value, arguments: Value) -> Value:
        if isinstance(function, Global) and isinstance(arguments, tuple):
            return self._call(function, arguments)
        return _made_by(function)


def _made_by(maker: Value) -> Opaque:
    return Opaque(f"an object of {maker.path}") if isinstance(maker, Global) else Opaque("an object")


def _fill(target: Dict, values: list[Value]) -> None:
    if len(values) % 2:
        raise IndexError
    for key, value in zip(values[::2], values[1::2], strict=True):
        target.put(key, value)
