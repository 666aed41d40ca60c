"""The operator calls of a program's graphs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from aoti_lint.program import facts
from aoti_lint.program.dtypes import LAYOUTS, schema_dtype
from aoti_lint.program.exported.unions import device_text, only

OWN_NAMESPACES = frozenset({
    "_c10d_functional", "_c10d_functional_autograd", "_dtensor", "_inductor_test", "_native", "_quantized", "_test",
    "aten", "c10d", "c10d_functional", "debug_mode_ops", "debugprims", "export", "flex_lib", "fsdp", "higher_order",
    "inductor", "inductor_prims", "mkl", "mkldnn", "mkldnn_prepacked", "onednn", "onnx", "onnx_symbolic", "prim",
    "prims", "profiler", "quantization", "quantized", "quantized_decomposed", "rngprims", "sparse", "static_runtime",
    "streams", "symm_mem", "xnnpack",
})  # fmt: skip
"""Namespaces of operators that come with torch: those of `torch._C._dispatch_get_all_op_names()` in 2.13 after
`torch._inductor` was imported, and those of its own libraries (`torch.ao`, mobile builds) and of the graph itself."""

_NO_MODULE = "_empty_nn_module_stack"
"""How the entry starts that torch gives a node which stands in no module."""
_FRAME = re.compile(r'File "([^"\n]*)", line (\d+), in ([^\n]*)\n?([^\n]*)')


def is_custom(target: str) -> bool:
    """Whether an operator does not come with torch. `target` is as in `OpUse`."""
    if target.startswith(("torch.", "operator.", "builtins.", "math.")):
        return False
    return target.partition(".")[0] not in OWN_NAMESPACES and target.count(".") >= 1


def graphs(graph: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A graph and those its operators are given, such as the branches of `torch.cond`."""
    todo = [graph]
    while todo:
        current = todo.pop()
        yield current
        for node in current["nodes"]:
            for given in node["inputs"]:
                inner = given["arg"].get("as_graph")
                if inner is not None:
                    todo.append(inner["graph"])


def call_of(node: Mapping[str, Any]) -> facts.OpUse:
    args: dict[str, str] = {}
    inputs: list[str] = []
    for index, given in enumerate(node["inputs"]):
        names = list(names_in(given["arg"]))
        if names:
            inputs += names
        elif "as_graph" not in given["arg"]:
            args[given["name"] or str(index)] = _text(given["arg"])
    metadata = node.get("metadata") or {}
    outputs = [name for output in node["outputs"] for name in names_in(output)]
    return facts.OpUse(
        target=_target(node["target"]),
        name=node.get("name") or (outputs[0] if outputs else ""),
        args=args,
        inputs=tuple(inputs),
        outputs=tuple(outputs),
        place=_place(metadata.get("stack_trace") or ""),
        module=_submodule(metadata.get("nn_module_stack") or ""),
    )


def names_in(arg: Mapping[str, Any]) -> Iterator[str]:
    """Names of the tensors, symbols and objects in an argument."""
    key, value = only(arg)
    if key in ("as_tensor", "as_custom_obj") or (key == "as_optional_tensor" and "as_tensor" in value):
        yield (value["as_tensor"] if key == "as_optional_tensor" else value)["name"]
    elif key in ("as_tensors", "as_sym_ints", "as_sym_floats", "as_sym_bools", "as_optional_tensors"):
        for item in value:
            inner = item.get("as_tensor", item)
            name = inner.get("name", inner.get("as_name")) if isinstance(inner, Mapping) else None
            if name:
                yield name
    elif key == "as_nested_tensors":
        yield from (item["name"] for row in value for item in row)
    elif key in ("as_sym_int", "as_sym_float", "as_sym_bool") and "as_name" in value:
        yield value["as_name"]


def _text(arg: Mapping[str, Any]) -> str:
    """A plain argument as Python would write it."""
    key, value = only(arg)
    match key:
        case "as_none":
            return "None"
        case "as_scalar_type":
            return f"torch.{schema_dtype(value)}"
        case "as_device":
            return repr(device_text(value))
        case "as_layout":
            return f"torch.{LAYOUTS.get(value, value)}"
        case "as_sym_int" | "as_sym_float" | "as_sym_bool":
            return repr(only(value)[1])
        case "as_sym_ints" | "as_sym_floats" | "as_sym_bools":
            return repr([only(item)[1] for item in value])
        case _:
            return repr(value)


def _target(target: str) -> str:
    """An operator without the words that all have."""
    return target.removeprefix("torch.ops.") if target.startswith("torch.ops.") else target.removeprefix("_")


def qualified(target: str) -> str:
    namespace, _, rest = target.partition(".")
    return f"{namespace}::{rest.partition('.')[0]}"


def _place(trace: str) -> facts.Place | None:
    """The innermost line outside torch; the innermost of all if every one is torch's."""
    frames = _FRAME.findall(trace[-20_000:])
    if not frames:
        return None
    own = [frame for frame in frames if "/torch/" not in frame[0].replace("\\", "/") and not frame[0].startswith("<")]
    file, line, function, text = (own or frames)[-1]
    return facts.Place(file=file, line=int(line[:9]), function=function.strip(), text=text.strip()[:200])


def _submodule(stack: str) -> str:
    """The qualified name of the innermost module; torch writes `key,name,type` joined by semicolons."""
    parts = stack.rpartition(";")[2].split(",")
    return parts[1] if len(parts) > 1 and not parts[1].startswith(_NO_MODULE) else ""
