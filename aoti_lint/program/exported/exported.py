"""An exported program, from the JSON that torch keeps it in.

Source: `torch/_export/serde/schema.py` and `serialize.py` of torch 2.4–2.15; what later schemas add is passed over.

What differs between releases: 2.4 has `dialect` for `verifiers`, and no `torch_version`. Up to 2.6 a field that is None
is left out, later it is null. `guards_code` is there since 2.9, the `name` of a node since 2.11; what a node of before
is called is what its first output is. Symbols are counted (`s0`) up to 2.7, later made from a hash (`s77`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from aoti_lint.program import facts
from aoti_lint.program.dtypes import ITEM_BYTES, LAYOUTS, schema_dtype
from aoti_lint.program.errors import Unreadable
from aoti_lint.program.exported.calls import call_of, graphs, is_custom, qualified
from aoti_lint.program.exported.unions import device_text, only, plain, whole
from aoti_lint.program.exported.writes import written
from aoti_lint.program.symbolic import evaluate, parse, python, symbols
from aoti_lint.program.treespec import Tree, is_call, leaf_paths, output_paths, parse_treespec, signature

_MALFORMED = (KeyError, TypeError, AttributeError, IndexError, ValueError, ArithmeticError, RecursionError)
"""What reading a table raises when it does not have the shape that torch gives it."""

MAX_DIMS = 1000
"""Of a tensor. Kernels take 64."""

_ROLES = {"parameter": "parameter", "buffer": "buffer", "tensor_constant": "constant", "custom_obj": "object"}


@dataclass(frozen=True, slots=True)
class Payload:
    """A weight or constant as it is stored: `same` is equal for two names that are the same elements of one storage."""

    tensor: facts.Tensor
    same: object


def payloads_of(config: Mapping[str, Any]) -> dict[str, Payload]:
    """The payloads that a weights or constants configuration lists, without those that are no tensors.

    Raises `Unreadable` for one that torch would not have written.
    """
    found = {}
    try:
        for name, entry in config["config"].items():
            meta = entry["tensor_meta"]
            if meta is not None:
                same = (entry["path_name"], str(meta["sizes"]), str(meta["strides"]), str(meta["storage_offset"]))
                found[name] = Payload(_tensor(meta, lambda size: whole(size["as_int"])), same)
    except _MALFORMED as error:
        raise Unreadable(f"it is not laid out as torch does it ({_what(error)})") from None
    return found


def read_program(
    data: Mapping[str, Any],
    name: str,
    *,
    payloads: Mapping[str, Payload] | None = None,
    example_inputs: bool | None = None,
    member: str | None = None,
) -> facts.Program:
    """The program that a decoded `models/<name>.json` describes.

    `payloads` are the stored weights and constants by name, `member` is the file of the archive that it stands in.
    Raises `Unreadable` for what torch would not have written.
    """
    try:
        return _Reader(data, payloads or {}).program(name, example_inputs, member)
    except _MALFORMED as error:
        raise Unreadable(f"the program {name} is not laid out as torch does it ({_what(error)})") from None


def _what(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"[:200]


class _Reader:
    def __init__(self, data: Mapping[str, Any], payloads: Mapping[str, Payload]) -> None:
        self._data, self._payloads = data, payloads
        self._module = data["graph_module"]
        self._graph = self._module["graph"]
        self._signature = self._module["signature"]
        self._expressions: dict[str, facts.Size] = {}
        self._symbols: set[str] = set()
        self._examples: dict[str, int] = {}
        self._tensors: dict[str, facts.Tensor] = {}
        for graph in graphs(self._graph):
            for key, meta in graph["tensor_values"].items():
                self._tensors.setdefault(key, _tensor(meta, self._size))

    def program(self, name: str, example_inputs: bool | None, member: str | None) -> facts.Program:
        calls = tuple(self._calls())
        outputs, mutated = self._outputs()
        inputs = self._inputs(mutated)
        used = frozenset(self._symbols)
        version = self._data["schema_version"]
        ops = Counter(call.target for call in calls)
        names = self._call_signature().get("forward_arg_names")
        return facts.Program(
            name=name,
            member=member,
            torch_version=self._data.get("torch_version"),
            schema_version=(version["major"], version["minor"]),
            opset=self._data.get("opset_version", {}),
            dialect=tuple(self._data.get("verifiers") or filter(None, [self._data.get("dialect")])),
            signature=", ".join(names) if names is not None else None,
            structure=self._structure(len(inputs)),
            inputs=inputs,
            outputs=outputs,
            dims=self._dims(used),
            sizes=dict(sorted(self._examples.items())),
            unbacked=tuple(sorted((s for s in used if re.fullmatch(r"z?u[f]?\d+", s)), key=_natural)),
            guards=tuple(map(_guard, self._data.get("guards_code") or ())),
            weights=self._weights(mutated),
            ops=dict(sorted(ops.items())),
            custom_ops=tuple(sorted({qualified(target) for target in ops if is_custom(target)})),
            calls=calls,
            tensors=self._tensors,
            example_inputs=example_inputs,
            source_files=tuple(sorted({call.place.file for call in calls if call.place is not None})),
        )

    def _size(self, value: Mapping[str, Any]) -> facts.Size:
        if "as_int" in value:
            return whole(value["as_int"])
        size = self._expression(value["as_expr"]["expr_str"])
        hint = value["as_expr"].get("hint")
        if isinstance(size, str) and size.isidentifier() and hint and "as_int" in hint:
            self._examples[size] = whole(hint["as_int"])
        return size

    def _expression(self, text: str) -> facts.Size:
        known = self._expressions.get(text)
        if known is None:
            expr = parse(text)
            self._symbols |= symbols(expr)
            constant = evaluate(expr, {})
            known = python(expr) if constant is None or constant % 1 else whole(constant)
            self._expressions[text] = known
        return known

    def _dims(self, used: frozenset[str]) -> dict[str, facts.Range]:
        """The ranges of the symbols; derived ones that torch lists too are left out, as their parts are there.

        Keys are plain text (`2*s77`) in every release, also where sizes are written as `srepr` does.
        """
        ranges = {key: _range(value) for key, value in (self._data.get("range_constraints") or {}).items()}
        known = {key: value for key, value in ranges.items() if key.isidentifier()}
        free = {key: facts.Range(min=None, max=None) for key in used - known.keys()}
        return dict(sorted({**known, **free}.items(), key=lambda item: _natural(item[0])))

    def _call_signature(self) -> Mapping[str, Any]:
        entries = self._module.get("module_call_graph") or []
        return next((e["signature"] for e in entries if e["fqn"] == "" and e.get("signature")), {})

    def _fields(self) -> dict[str, tuple[str, ...]]:
        found = self._module.get("treespec_namedtuple_fields") or {}
        return {key: tuple(value["field_names"]) for key, value in found.items()}

    def _paths(self, key: str, count: int) -> list[str]:
        """How Python reaches each input or output; its number where the structure is not recorded or does not fit."""
        spec = self._call_signature().get(key)
        if spec:
            tree: Tree = parse_treespec(spec, self._fields())
            if key == "out_spec":
                paths = output_paths(tree)
            else:
                names = self._call_signature().get("forward_arg_names")
                paths = leaf_paths(tree, names) if is_call(tree) else []
            if len(paths) == count:
                return paths
        return [f"{'args' if key == 'in_spec' else 'out'}[{index}]" for index in range(count)]

    def _structure(self, count: int) -> str | None:
        """How the inputs are nested; None where that is not recorded or does not fit."""
        spec = self._call_signature().get("in_spec")
        tree = parse_treespec(spec, self._fields()) if spec else None
        return signature(tree) if tree is not None and is_call(tree) and tree.leaves == count else None

    def _inputs(self, mutated: Mapping[str, frozenset[str]]) -> tuple[facts.Input, ...]:
        specs = [spec for spec in self._signature["input_specs"] if "user_input" in spec or "constant_input" in spec]
        paths = self._paths("in_spec", len(specs))
        return tuple(self._input(spec, path, mutated["inputs"]) for spec, path in zip(specs, paths, strict=True))

    def _input(self, spec: Mapping[str, Any], path: str, mutated: frozenset[str]) -> facts.Input:
        if "constant_input" in spec:
            constant = spec["constant_input"]
            kind, value = plain(constant["value"])
            return facts.Input(name=constant["name"], path=path, kind=kind, frozen=True, value=value)
        name, kind, value = self._argument(spec["user_input"]["arg"])
        frozen = kind not in ("tensor", "symbol", "object", "unknown")
        return facts.Input(
            name=name or path, path=path, kind=kind, tensor=self._tensors.get(name) if kind == "tensor" else None,
            frozen=frozen, value=value, mutated=name in mutated,
        )  # fmt: skip

    def _argument(self, arg: Mapping[str, Any]) -> tuple[str, facts.Kind, int | float | bool | str | None]:
        """Name, kind and value of an input or output."""
        key, value = only(arg)
        match key:
            case "as_tensor":
                return value["name"], "tensor", None
            case "as_sym_int" | "as_sym_float" | "as_sym_bool" if "as_name" in value:
                return value["as_name"], "symbol", self._symbol(value["as_name"])
            case "as_sym_int" | "as_sym_float" | "as_sym_bool":
                return "", *plain(value)
            case "as_custom_obj":
                return value["name"], "object", None
            case _:
                return "", *plain(arg)

    def _symbol(self, name: str) -> str | int | float | bool | None:
        for table in ("sym_int_values", "sym_float_values", "sym_bool_values"):
            found = (self._graph.get(table) or {}).get(name)
            if found is not None:
                return self._expression(found["as_expr"]["expr_str"]) if "as_expr" in found else plain(found)[1]
        return None

    def _outputs(self) -> tuple[tuple[facts.Output, ...], dict[str, frozenset[str]]]:
        users: list[Mapping[str, Any]] = []
        mutated: dict[str, set[str]] = {"inputs": set(), "buffers": set()}
        for spec in self._signature["output_specs"]:
            kind, value = only(spec)
            if kind in ("user_output", "loss_output"):
                users.append(value["arg"] if kind == "user_output" else {"as_tensor": value["arg"]})
            elif kind == "buffer_mutation":
                mutated["buffers"].add(value["buffer_name"])
            elif kind == "parameter_mutation":
                mutated["buffers"].add(value["parameter_name"])
            elif kind == "user_input_mutation":
                mutated["inputs"].add(value["user_input_name"])
        found = []
        for arg, path in zip(users, self._paths("out_spec", len(users)), strict=True):
            name, kind, value = self._argument(arg)
            tensor = self._tensors.get(name) if kind == "tensor" else None
            found.append(facts.Output(name=name or path, path=path, kind=kind, tensor=tensor, value=value))
        written = self._written()
        names = {spec_name: name for spec_name, name, _, _ in self._stored()}
        mutated["buffers"] |= {names[value] for value in written if value in names}
        mutated["inputs"] |= written - names.keys()
        return tuple(found), {key: frozenset(value) for key, value in mutated.items()}

    def _written(self) -> set[str]:
        """Inputs of the graph that an operator changes in place.

        A program that was not decomposed keeps `add_` and the like, and then says nothing of it in its signature.
        """
        given = {arg["as_tensor"]["name"] for arg in self._graph["inputs"] if "as_tensor" in arg}
        return written(self._graph, {name: name for name in given})

    def _stored(self) -> Iterator[tuple[str, str, str, Mapping[str, Any]]]:
        """What the program brings along: placeholder, name, role and the whole entry."""
        for spec in self._signature["input_specs"]:
            key, value = only(spec)
            if key in _ROLES:
                yield value["arg"]["name"], value[f"{key}_name"], _ROLES[key], value

    def _weights(self, mutated: Mapping[str, frozenset[str]]) -> tuple[facts.Weight, ...]:
        """What the program brings along, and what of it is tied.

        The signature does not say that: most releases name each as it is called, 2.5–2.7 give all of a group the name
        of the last. It is told by what is stored, in a configuration (since 2.9) or a pickle (before).
        """
        found: list[facts.Weight] = []
        first: dict[object, str] = {}
        for placeholder, name, role, spec in self._stored():
            payload = self._payloads.get(name)
            tensor = payload.tensor if payload is not None else self._tensors.get(placeholder)
            tied = first.setdefault(payload.same, name) if payload is not None else name
            found.append(
                facts.Weight(
                    name=name,
                    role=role,  # type: ignore[arg-type]
                    tensor=tensor,
                    bytes=_bytes(tensor),
                    persistent=spec.get("persistent", True) if role == "buffer" else None,
                    mutated=name in mutated["buffers"],
                    tied=tied if tied != name else None,
                )
            )
        return tuple(found)

    def _calls(self) -> Iterator[facts.OpUse]:
        for graph in graphs(self._graph):
            for node in graph["nodes"]:
                yield call_of(node)


def _tensor(meta: Mapping[str, Any], size: Callable[[Mapping[str, Any]], facts.Size]) -> facts.Tensor:
    """A tensor from its serialised `TensorMeta`."""
    if len(meta["sizes"]) > MAX_DIMS:
        raise Unreadable(f"a tensor of {len(meta['sizes'])} dimensions; up to {MAX_DIMS} are read")
    return facts.Tensor(
        dtype=schema_dtype(meta["dtype"]),
        shape=tuple(map(size, meta["sizes"])),
        strides=tuple(map(size, meta["strides"])),
        device=device_text(meta["device"]),
        layout=LAYOUTS.get(meta["layout"], str(meta["layout"])),
        requires_grad=bool(meta["requires_grad"]),
    )


def _range(value: Mapping[str, Any]) -> facts.Range:
    return facts.Range(min=_bound(value.get("min_val")), max=_bound(value.get("max_val")))


def _bound(value: object) -> int | None:
    """An end of a range. None is null; but 2.4 writes `sys.maxsize - 1` for it, and 2.5 the word `Infinity`."""
    return value if isinstance(value, int) and abs(value) < 2**62 else None


def _guard(text: str) -> str:
    """A guard as Python over the parameters of forward; as torch wrote it where it is more than that."""
    try:
        return python(parse(text))
    except Unreadable:
        return text


def _bytes(tensor: facts.Tensor | None) -> int | None:
    if tensor is None:
        return None
    count = 1
    for size in tensor.shape:
        if not isinstance(size, int):
            return None
        count *= size
    width = ITEM_BYTES.get(tensor.dtype)
    return None if width is None or abs(count) >= 2**63 else count * width


def _natural(name: str) -> tuple[str, int, str]:
    digits = re.search(r"\d+", name)
    return (name[: digits.start()], int(digits.group()[:9]), name) if digits else (name, 0, name)
