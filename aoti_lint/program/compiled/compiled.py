"""A model compiled by AOTInductor: its metadata, its wrapper's source, its library.

Its members are named after hashes: the wrapper `H.wrapper.cpp` with `H.wrapper.json`, which lists the calls through
torch's dispatcher and is only there if there are any, and the kernels `K.kernel.cpp`. In 2.6 both sources are one,
`H.cpp` with `H.json`. Which torch wrote them is nowhere.

Source: `torch/_inductor/codecache.py` (`AotCodeCompiler`), `torch/_inductor/package/package.py`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, MutableSequence, Sequence
from typing import Literal

from aoti_lint.program import facts
from aoti_lint.program.compiled.wrapper import Wrapper, items, read_wrapper
from aoti_lint.program.container.archive import ZipArchive
from aoti_lint.program.container.library import Library, read_elf
from aoti_lint.program.container.texts import MAX_JSON, parse_json
from aoti_lint.program.errors import Unreadable
from aoti_lint.program.exported.calls import OWN_NAMESPACES
from aoti_lint.program.treespec import is_call, leaf_paths, output_paths, parse_treespec, signature

MAX_SOURCE = 128 << 20
"""Bytes of one wrapper. The models of a hundred layers have some ten million."""

_ROLES = {"Parameter": "parameter", "Buffer": "buffer", "TensorConstant": "constant", "FoldedConstant": "constant"}
_METADATA = {
    "AOTI_DEVICE_KEY", "AOTI_PLATFORM", "AOTI_MACHINE", "AOTI_CPU_ISA", "AOTI_COMPUTE_CAPABILITY",
}  # fmt: skip


def read_package(
    archive: ZipArchive, name: str, files: Mapping[str, str], problems: MutableSequence[facts.Problem]
) -> facts.Package:
    """One model of a package. `files` are its members, by their names inside its folder.

    What cannot be read is added to `problems`.
    """
    return _Model(_Members(archive, files, problems)).package(name)


class _Members:
    """The files of one model."""

    def __init__(self, archive: ZipArchive, files: Mapping[str, str], problems: MutableSequence[facts.Problem]) -> None:
        self._archive, self.files, self.problems = archive, files, problems

    def text(self, ending: str) -> tuple[str, str] | None:
        """The source whose name ends so, and that name; the longest of several."""
        found = sorted(
            (n for n in self.files if n.endswith(ending)), key=lambda n: -self._archive.sizes(self.files[n])[0]
        )
        for member in (self.files[inside] for inside in found):
            try:
                return self._archive.read(member, MAX_SOURCE).decode("utf-8", "replace"), member
            except Unreadable as error:
                self.problems.append(facts.Problem(member=member, message=str(error)))
        return None

    def json(self, *endings: str) -> dict[str, object]:
        """The JSON objects that end so, as one."""
        merged: dict[str, object] = {}
        for inside in self.files:
            if inside.endswith(endings):
                try:
                    merged.update(parse_json(self._archive.read(self.files[inside], MAX_JSON), inside))
                except Unreadable as error:
                    self.problems.append(facts.Problem(member=self.files[inside], message=str(error)))
        return merged

    def library(self) -> Library | None:
        """What the headers of the shared library say, where it lies uncompressed."""
        for inside, name in self.files.items():
            if inside.endswith(".so"):
                try:
                    return read_elf(self._archive.window(name))
                except Unreadable as error:
                    self.problems.append(facts.Problem(member=name, message=str(error)))
        return None


def describe(
    name: str,
    source: str | None,
    kernel_source: str | None,
    metadata: Mapping[str, object],
    proxies: Mapping[str, object],
    library: Library | None,
    files: Sequence[str],
    member: str | None = None,
) -> facts.Package:
    """A package from its parts, each of which may be missing. `member` is the file that `source` is in."""
    wrapper = read_wrapper(source) if source is not None else Wrapper()
    paths = _Paths(wrapper)
    command = wrapper.compile_command or _command(kernel_source)
    return facts.Package(
        name=name,
        member=member,
        device_type=_text(metadata.get("AOTI_DEVICE_KEY")) or wrapper.device_type or _checked_device(wrapper),
        platform=_text(metadata.get("AOTI_PLATFORM")) or (library.platform if library is not None else None),
        machine=_text(metadata.get("AOTI_MACHINE")) or (library.machine if library is not None else None),
        cpu_isa=_text(metadata.get("AOTI_CPU_ISA")),
        compute_capability=_text(metadata.get("AOTI_COMPUTE_CAPABILITY")),
        metadata={key: str(value) for key, value in metadata.items() if key not in _METADATA},
        inputs=_inputs(wrapper, paths),
        structure=paths.structure,
        keywords=paths.keywords,
        outputs=tuple(
            facts.Output(name=output, path=path, kind="tensor", tensor=wrapper.outputs.get(index))
            for index, (output, path) in enumerate(zip(wrapper.output_names, paths.outputs, strict=True))
        ),
        checks=tuple(check for _, check in sorted(wrapper.checks.items())),
        dims=_dims(wrapper),
        weights=_weights(wrapper),
        weights_at=_weights_at(wrapper, files),
        kernels=tuple(wrapper.kernels),
        extern_calls=tuple(wrapper.extern_calls),
        custom_ops=_custom_ops(proxies, source),
        debug=facts.DebugCode(
            printer=wrapper.printer,
            nan_asserts=wrapper.nan_asserts,
            symbols=_has_symbols(command, library),
            optimised=None if command is None else not re.search(r"\s-O0\b", command),
            input_checks=wrapper.input_checks if source is not None else None,
            rows=wrapper.rows,
        ),
        libraries=library.needed if library is not None else (),
        readable=source is not None,
    )


class _Model:
    def __init__(self, members: _Members) -> None:
        self._members = members

    def package(self, name: str) -> facts.Package:
        members = self._members
        source, member = members.text(".wrapper.cpp") or members.text(_PLAIN_SOURCE) or (None, None)
        kernel = members.text(".kernel.cpp")
        if source is None:
            names = ", ".join(sorted(members.files)[:5])
            message = f"the model {name!r} comes without the source of its wrapper ({names}): its inputs are not known"
            members.problems.append(facts.Problem(member=None, message=message))
        return describe(
            name,
            source,
            None if kernel is None else kernel[0],
            members.json("_metadata.json"),
            members.json(".wrapper.json", "extern_nodes.json") or members.json(_PLAIN_JSON),
            members.library(),
            list(members.files),
            member,
        )


_PLAIN_SOURCE = ".cpp"
_PLAIN_JSON = ".json"


_NUMBERED = re.compile(r"arg(\d{1,6})_1")


class _Paths:
    """How Python reaches inputs and outputs, where the specs in the wrapper allow to say."""

    def __init__(self, wrapper: Wrapper) -> None:
        count = len(wrapper.input_names)
        self.structure: str | None = None
        self.keywords: tuple[str, ...] | None = None
        self.inputs: Sequence[str] = [f"inputs[{index}]" for index in range(count)]
        self.outputs = [f"outputs[{index}]" for index in range(len(wrapper.output_names))]
        try:
            if wrapper.in_spec:
                tree = parse_treespec(wrapper.in_spec)
                if is_call(tree):
                    self.structure = signature(tree)
                    self.keywords = tuple(map(str, tree.children[1].keys))
                    self.inputs = _tensor_leaves(leaf_paths(tree), wrapper.input_names) or self.inputs
            if wrapper.out_spec:
                leaves = output_paths(parse_treespec(wrapper.out_spec))
                self.outputs = leaves if len(leaves) == len(self.outputs) else self.outputs
        except (Unreadable, RecursionError):
            return


def _tensor_leaves(leaves: Sequence[str], names: Sequence[str]) -> Sequence[str] | None:
    """The leaves that are tensors; None where nobody can tell.

    Python values are leaves too, but no inputs. torch numbers the inputs (`arg2_1`, `arg8_1`) with the values that it
    dropped: when the numbers reach from the first leaf to the last, they say which.
    """
    if len(leaves) == len(names):
        return leaves
    numbers = [int(match[1]) for match in map(_NUMBERED.fullmatch, names) if match is not None]
    if len(numbers) != len(names) or not numbers or numbers[-1] - numbers[0] + 1 != len(leaves):
        return None
    chosen = [number - numbers[0] for number in numbers]
    return [leaves[index] for index in chosen] if all(0 <= index < len(leaves) for index in chosen) else None


def _inputs(wrapper: Wrapper, paths: _Paths) -> tuple[facts.Input, ...]:
    return tuple(
        facts.Input(name=name, path=path, kind="tensor", tensor=_input_tensor(wrapper, index))
        for index, (name, path) in enumerate(zip(wrapper.input_names, paths.inputs, strict=True))
    )


def _input_tensor(wrapper: Wrapper, index: int) -> facts.Tensor | None:
    """The tensor an input must be, by its check and by what the code asserts of it."""
    check = wrapper.checks.get(index)
    if check is None or check.dtype is None:
        return None
    at = {dim: symbol for symbol, (place, dim) in wrapper.symbols.items() if place == index}
    shape: tuple[facts.Size, ...] = wrapper.shapes.get(index) or tuple(
        at.get(dim, "?") if size is None else size for dim, size in enumerate(check.shape)
    )
    strides = wrapper.strides.get(index)
    if strides is None and len(check.strides) == len(shape):
        strides = tuple(check.strides[dim] for dim in range(len(shape)))
    return facts.Tensor(dtype=check.dtype, shape=shape, strides=strides, device=check.device_type)


def _dims(wrapper: Wrapper) -> dict[str, facts.Range]:
    found = {}
    for symbol, (index, dim) in wrapper.symbols.items():
        check = wrapper.checks.get(index)
        if check is not None:
            found[symbol] = facts.Range(min=check.min.get(dim), max=check.max.get(dim))
    return dict(sorted(found.items()))


def _weights(wrapper: Wrapper) -> tuple[facts.Weight, ...]:
    return tuple(_weight(constant.fields, wrapper.written) for constant in wrapper.constants)


def _weight(fields: Mapping[str, str], written: Collection[str]) -> facts.Weight:
    role = re.search(r"ConstantType::(\w+)", fields.get("type", ""))
    dtype = re.search(r"dtype_(\w+?)\b(?:\(\))?", fields.get("dtype", ""))
    device = re.search(r"device_type_(\w+?)\b", fields.get("device_type", ""))
    layout = re.search(r"layout_(\w+?)\b", fields.get("layout", ""))
    size = fields.get("data_size", "")
    tensor = None
    if dtype is not None:
        tensor = facts.Tensor(
            dtype=dtype[1],
            shape=_numbers(fields.get("shape", "")),
            strides=_numbers(fields.get("stride", "")),
            device=device[1] if device is not None else None,
            layout=layout[1] if layout is not None else "strided",
        )
    return facts.Weight(
        name=_unquoted(fields.get("original_fqn") or fields.get("name") or ""),
        role=_ROLES.get(role[1], "unknown") if role is not None else "unknown",  # type: ignore[arg-type]
        tensor=tensor,
        bytes=int(size) if size.isdecimal() and len(size) < 20 else None,
        mutated=role is not None and role[1] == "Buffer" and _unquoted(fields.get("name", "")) in written,
        folded=fields.get("from_folded") == "true",
    )


def _numbers(text: str) -> tuple[facts.Size, ...]:
    bare = (item.rstrip("L") for item in items(text))
    return tuple(int(item) if item.isdecimal() and len(item) < 20 else "?" for item in bare)


def _unquoted(text: str) -> str:
    return text[1:-1].replace('\\"', '"') if len(text) > 1 and text[0] == text[-1] == '"' else text


def _weights_at(wrapper: Wrapper, files: Sequence[str]) -> Literal["library", "archive", "outside"] | None:
    """Where the weights are: the wrapper says whether the library has them, and the archive may hold them beside it."""
    if not wrapper.constants or wrapper.weights_in_library is None:
        return None
    if wrapper.weights_in_library:
        return "library"
    return "archive" if any(name.endswith((".blob", "weights_config.json")) for name in files) else "outside"


def _custom_ops(proxies: Mapping[str, object], source: str | None) -> tuple[str, ...]:
    """The operators that run through torch's dispatcher and do not come with torch."""
    nodes = proxies.get("nodes")
    targets = []
    for entry in nodes if isinstance(nodes, list) else ():
        node = entry.get("node") if isinstance(entry, dict) else None
        target = node.get("target") if isinstance(node, dict) else None
        if isinstance(target, str):
            targets.append(target)
    # The wrapper also names, for its messages, what it calls without the proxy.
    targets += [f"{namespace}::{op}" for namespace, op in re.findall(r'"torch\.ops\.(\w+)\.(\w+)', source or "")]
    found = {target for target in targets if target.partition("::")[0] not in OWN_NAMESPACES}
    return tuple(sorted(found))


def _has_symbols(command: str | None, library: Library | None) -> bool | None:
    """Whether the library was built with full debug information.

    `-g1`, which torch gives by default since 2.9, only has line numbers.
    """
    if command is not None:
        return re.search(r"\s-g(?:[23]|db\d?)?(?=\s|$)", command) is not None
    return library.debug_sections if library is not None else None


def _command(source: str | None) -> str | None:
    """The line that compiled a kernel, which torch writes at the end of its source."""
    if source is None:
        return None
    tail = source[-50_000:]
    found = re.search(r"^// Compile cmd\n// (.*)", tail, re.M)
    return found[1] if found is not None else None


def _checked_device(wrapper: Wrapper) -> str | None:
    return next((check.device_type for check in wrapper.checks.values() if check.device_type), None)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
