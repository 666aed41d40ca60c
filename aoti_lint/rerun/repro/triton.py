"""A Triton kernel: its Python source, which the wrapper has as a comment, run by Inductor's own launcher."""

from __future__ import annotations

import re
import textwrap

from aoti_lint.quoting.python import Python, form, joined, literal
from aoti_lint.rerun.repro import template, words
from aoti_lint.rerun.wrapper.arguments import Tensor, Values
from aoti_lint.rerun.wrapper.calls import Call
from aoti_lint.rerun.wrapper.errors import NoRepro

_MUTATED = re.compile(r"'mutated_arg_names': \[([^\]]*)\]")
_NOT_ARGUMENTS = re.compile(r"this->device_idx_|stream|kernels|this->cubin_dir_|.*cubin_dir_?")


def source(wrapper: str, name: str) -> str:
    """The Python source of a kernel. Raises `NoRepro` where the wrapper does not have it.

    `DeferredTritonCallWrapper.generate` in `torch/_inductor/codegen/cpp_wrapper_gpu.py` writes it for debugging.
    """
    found = re.search(rf"async_compile\.triton\('{re.escape(name)}', '''(.*?)'''", wrapper, re.S)
    if found is None:
        raise NoRepro(f"the package does not have the source of {name}, only its binary")
    return textwrap.dedent(found[1].replace("\\\\", "\\")).strip() + "\n"


def script(call: Call, values: Values, wrapper: str) -> tuple[Python, str, list[str], list[str]]:
    """The call as Python, the kernel's source, the tensors that it is given and those it writes. Raises `NoRepro`."""
    text = source(wrapper, call.name)
    said, tensors = [], []
    for one in call.arguments:
        if _NOT_ARGUMENTS.fullmatch(one):
            continue
        value = values.value(one)
        if isinstance(value, Tensor) and value.view is None:
            tensors.append(value.name)
            said.append(words.given(value.name))
        elif isinstance(value, int | float):
            said.append(literal(value))
        else:
            raise NoRepro(f"the argument {one!r} is of a form that is not known here")
    names = _parameters(text)
    mutated = _MUTATED.search(text)
    outs = set(re.findall(r"'(\w+)'", mutated[1])) if mutated is not None else set()
    written = [
        name for name, parameter in zip(tensors, names, strict=False) if parameter in outs or "out_ptr" in parameter
    ]
    body = form(template.TRITON, NAME=words.name(call.name), ARGUMENTS=joined(said, ", "), WRITTEN=literal(written))
    return body, text, list(dict.fromkeys(tensors)), written


def _parameters(text: str) -> list[str]:
    found = re.search(r"^def triton_\w*\(([^)]*)\)", text, re.M)
    return [one.partition(":")[0].strip() for one in found[1].split(",")] if found is not None else []
