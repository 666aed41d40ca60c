"""A C++ kernel: its source, compiled as the package was, called through ctypes."""

from __future__ import annotations

import re
import shlex
from typing import Final

from aoti_lint.quoting.python import Python, form, joined, literal, string
from aoti_lint.rerun.repro import template, words
from aoti_lint.rerun.wrapper.arguments import Values, split
from aoti_lint.rerun.wrapper.calls import Call
from aoti_lint.rerun.wrapper.errors import NoRepro

PREFIX: Final = "#include <torch/csrc/inductor/cpp_prefix.h>"
_POINTER = re.compile(r"\((?:const )?[\w:]+(?: \w+)* ?\*\)\(?(\w+)\.data_ptr\(\)\)?$")
_INCLUDE = re.compile(r'^#include (?:<torch/csrc/inductor/cpp_prefix\.h>|"[^"\n]*\.h")$', re.M)
_COMMAND = re.compile(r"^// Compile cmd\n// (.*)$", re.M)
_TYPES: Final = {
    "int64_t": "c_int64", "int32_t": "c_int32", "int16_t": "c_int16", "int8_t": "c_int8", "uint8_t": "c_uint8",
    "double": "c_double", "float": "c_float", "bool": "c_bool", "long": "c_int64", "int": "c_int32",
}  # fmt: skip
_KEPT = re.compile(r"-[DOfmW].+|-std=.+|-g\d?$")
_DROPPED: Final = {"-c", "-fPIC", "-shared"}
_PLAIN: Final = ("g++", ["-O3", "-std=c++20", "-fopenmp", "-ffast-math", "-fno-finite-math-only"])


def source(kernels: str, name: str) -> str:
    """The part of a package's kernels that has this one, with the helpers before it. Raises `NoRepro` without it."""
    body = kernels.partition("\n// Compile cmd")[0]
    starts = [match.start() for match in _INCLUDE.finditer(body)]
    parts = [body[start:end] for start, end in zip(starts, [*starts[1:], len(body)], strict=True)] or [body]
    for part in parts:
        if _definition(part, name):
            return f"{PREFIX}\n{_INCLUDE.sub('', part).strip()}\n"
    raise NoRepro(f"the package does not have the source of {name}")


def _definition(part: str, name: str) -> re.Match[str] | None:
    return re.search(rf'extern "C"\s+void\s+{re.escape(name)}\(([^{{;]*)\)\s*\{{', part)


def command(kernels: str) -> tuple[str, list[str]]:
    """The compiler and the flags that decide what the kernel does; without a record, those that torch uses."""
    found = _COMMAND.search(kernels)
    if found is None:
        return _PLAIN
    words = shlex.split(found[1])
    flags: list[str] = []
    for at, word in enumerate(words[1:], 1):
        if words[at - 1] == "-D":
            flags.append(f"-D{word}")
        elif _KEPT.fullmatch(word) and word not in _DROPPED:
            flags.append(word)
    return words[0], flags


def script(call: Call, values: Values, kernels: str) -> tuple[Python, str, list[str]]:
    """The call as Python, the kernel's source, and the tensors that it writes. Raises `NoRepro`."""
    text = source(kernels, call.name)
    found = _definition(text, call.name)
    parameters = split(found[1]) if found is not None else ()
    if len(parameters) != len(call.arguments):
        raise NoRepro(f"the call of {call.name} has other arguments than its source")
    given = [_argument(one, other, values) for one, other in zip(parameters, call.arguments, strict=True)]
    compiler, flags = command(kernels)
    written = [name for name in tensors(call) if name in call.writes]
    body = form(
        template.KERNEL, NAME=words.name(call.name), COMPILER=literal(compiler), FLAGS=literal(flags),
        ARGUMENTS=joined(given, ", "), WRITTEN=literal(written),
    )  # fmt: skip
    return body, text, written


def tensors(call: Call) -> list[str]:
    """The tensors of a call, each once, in the order of its arguments."""
    found = (_POINTER.match(one) for one in call.arguments)
    return list(dict.fromkeys(match[1] for match in found if match is not None))


def _argument(parameter: str, given: str, values: Values) -> Python:
    if "*" in parameter:
        match = _POINTER.match(given)
        if match is None:
            raise NoRepro(f"the argument {given!r} is of a form that is not known here")
        return form("ctypes.c_void_p(tensors[@NAME@].data_ptr())", NAME=string(words.name(match[1])))
    kind = parameter.replace("const ", "").split()[0]
    value = values.value(given)
    if kind not in _TYPES or not isinstance(value, int | float):
        raise NoRepro(f"the argument {given!r} of type {kind} is of a form that is not known here")
    return form("ctypes.@KIND@(@VALUE@)", KIND=words.name(_TYPES[kind]), VALUE=literal(value))
