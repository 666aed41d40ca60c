"""Ways to break a right fake, each at one place.

A mutator gives the edits of its mutants, with who can know that the result is wrong:

- `alone`: the fake is wrong whatever the kernel does, or against the schema and annotations in the sources;
- `kernel`: only the op's kernel says so, and the sources have it in Python;
- `neither`: nothing in the sources says so.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.mutation.source import (
    FACTORIES,
    LIKE,
    Edits,
    Fake,
    is_allocation,
    keyword,
    last_name,
    size_arguments,
    size_read,
)

PLACES = 2
"""How many places of one fake a mutator is applied to."""
ANY = frozenset({f"AOTI4{n:02}" for n in range(2, 22)})


@dataclass(frozen=True, slots=True)
class Mutant:
    """One broken form of a fake. `codes` are the rules that name what is wrong with it."""

    mutator: str
    edits: Edits
    knowable: str
    codes: frozenset[str]


Found = Iterator[tuple[Edits, str]]
Mutator = Callable[[Fake], Found]
_MUTATORS: dict[str, tuple[frozenset[str], Mutator]] = {}


def mutants(fake: Fake) -> list[Mutant]:
    """All mutants of a fake, at most `PLACES` of each mutator."""
    found = []
    for name, (codes, mutator) in _MUTATORS.items():
        for count, (edits, knowable) in enumerate(mutator(fake)):
            if count == PLACES:
                break
            found.append(Mutant(name, edits, knowable, codes))
    return found


def names() -> list[str]:
    return list(_MUTATORS)


def _mutator(name: str, *codes: str) -> Callable[[Mutator], Mutator]:
    def add(function: Mutator) -> Mutator:
        _MUTATORS[name] = (frozenset(codes) or ANY, function)
        return function

    return add


def _by_kernel(fake: Fake) -> str:
    return "kernel" if fake.kernel else "neither"


def _one_size(fake: Fake) -> bytes | None:
    """A size of an argument, as the fake itself reads it if it does."""
    for node in fake.reads:
        read = size_read(node)
        if read is not None and isinstance(read[0], ast.Name) and read[0].id in fake.tensors:
            return fake.text.of(node)
    return f"{fake.tensors[0]}.shape[0]".encode() if fake.tensors else None


def _at_start(fake: Fake, *lines: str | bytes) -> Found:
    edits = fake.text.before(fake.body[0], *lines) if fake.body else None
    if edits is not None:
        yield edits, "alone"


@_mutator("int", "AOTI402")
def wrap_in_int(fake: Fake) -> Found:
    """`x.shape[0]` → `int(x.shape[0])`."""
    for node in fake.sizes:
        parent = fake.parents.get(node)
        inside = isinstance(parent, ast.Call) and last_name(parent.func) in ("int", "float", "range")
        if not fake.is_told(node) and not inside:
            yield fake.text.over(node, b"int(" + fake.text.of(node) + b")"), "alone"


@_mutator("freeze", "AOTI404")
def freeze(fake: Fake) -> Found:
    """A size of an output → 8."""
    for node in fake.sizes:
        if fake.feeds_output(node):
            yield fake.text.over(node, b"8"), _by_kernel(fake)


@_mutator("len", "AOTI402")
def use_len(fake: Fake) -> Found:
    """`x.shape[0]` → `len(x)`."""
    for node in fake.reads:
        read = size_read(node)
        if read is not None and read[1] == 0 and not fake.is_told(node):
            yield fake.text.over(node, b"len(" + fake.text.of(read[0]) + b")"), "alone"


@_mutator("range", "AOTI402")
def loop_over_size(fake: Fake) -> Found:
    size = _one_size(fake)
    if size is not None:
        yield from _at_start(fake, b"for _row in range(" + size + b"):", "    pass")


@_mutator("percent", "AOTI402")
def format_size(fake: Fake) -> Found:
    size = _one_size(fake)
    if size is not None:
        yield from _at_start(fake, b'_key = "%d" % ' + size)


@_mutator("branch", "AOTI402")
def branch_on_size(fake: Fake) -> Found:
    """Another way out for one size."""
    size = _one_size(fake)
    if size is None or not fake.returns:
        return
    last = fake.returns[-1]
    edits = fake.text.before(last, b"if " + size + b" == 4:", b"    " + fake.text.of(last))
    if edits is not None:
        yield edits, "alone"


@_mutator("item", "AOTI403", "AOTI409")
def read_item(fake: Fake) -> Found:
    for name in fake.tensors[:1]:
        yield from _at_start(fake, f"_first = {name}.item()")


@_mutator("drop-output", "AOTI407")
def drop_output(fake: Fake) -> Found:
    """`return a, b` → `return (a,)`."""
    for node in fake.returns:
        value = node.value
        if isinstance(value, ast.Tuple) and len(value.elts) > 1 and not any(map(_starred, value.elts)):
            kept = b"".join(fake.text.of(one) + b", " for one in value.elts[:-1])
            yield fake.text.over(value, b"(" + kept + b")"), _by_schema(fake)


@_mutator("none", "AOTI407")
def return_none(fake: Fake) -> Found:
    for node in fake.returns:
        if node.value is not None:
            yield fake.text.over(node.value, b"None"), _by_schema(fake)


def _by_schema(fake: Fake) -> str:
    return "alone" if fake.schema or fake.node.returns is not None else _by_kernel(fake)


def _starred(node: ast.expr) -> bool:
    return isinstance(node, ast.Starred)


@_mutator("dtype", "AOTI405")
def change_dtype(fake: Fake) -> Found:
    """`dtype=…` → `dtype=torch.float64`, or that added."""
    for call in fake.allocations:
        given = keyword(call, "dtype")
        if given is not None:
            if last_name(given.value) not in ("float64", "double"):
                yield fake.text.over(given.value, b"torch.float64"), _by_kernel(fake)
        elif last_name(call.func) not in FACTORIES and not any(k.arg is None for k in call.keywords):
            yield fake.text.with_keyword(call, b"dtype=torch.float64"), _by_kernel(fake)


@_mutator("dtype-dropped", "AOTI405")
def drop_dtype(fake: Fake) -> Found:
    for call in fake.allocations:
        given = keyword(call, "dtype")
        if given is None:
            continue
        by_default = last_name(call.func) in FACTORIES
        if not (by_default and last_name(given.value) in ("float32", "float")):
            known = "alone" if by_default and last_name(call.func) != "full" else _by_kernel(fake)
            yield fake.text.without(call, given), known


@_mutator("device-dropped", "AOTI406")
def drop_device(fake: Fake) -> Found:
    """A factory of torch makes its tensor on the default device."""
    for call in fake.allocations:
        given = keyword(call, "device")
        if given is not None and last_name(call.func) in FACTORIES and _of_input(fake, given.value):
            yield fake.text.without(call, given), "alone"


@_mutator("device-fixed", "AOTI406")
def fix_device(fake: Fake) -> Found:
    for call in fake.allocations:
        given = keyword(call, "device")
        if given is not None and _of_input(fake, given.value):
            yield fake.text.over(given.value, b'"cuda"'), "alone"


def _of_input(fake: Fake, node: ast.expr) -> bool:
    """Whether it is the `device` of a parameter."""
    return isinstance(node, ast.Attribute) and node.attr == "device" and last_name(node.value) in fake.tensors


@_mutator("swap", "AOTI404")
def swap_sizes(fake: Fake) -> Found:
    """`empty(m, n)` → `empty(n, m)`."""
    for call in fake.allocations:
        if last_name(call.func) in LIKE:
            continue
        sizes = size_arguments(call)
        if sizes and isinstance(sizes[0], ast.Tuple | ast.List):
            sizes = sizes[0].elts
        first, second = fake.text.of(sizes[0]) if sizes else b"", fake.text.of(sizes[1]) if len(sizes) > 1 else b""
        if second and first != second and not any(map(_starred, sizes[:2])):
            yield (*fake.text.over(sizes[0], second), *fake.text.over(sizes[1], first)), _by_kernel(fake)


@_mutator("other-size", "AOTI404")
def read_other_size(fake: Fake) -> Found:
    """`x.shape[0]` → `x.shape[1]` and back, in the size of an output."""
    for node in fake.reads:
        read = size_read(node)
        if read is None or read[1] not in (0, 1) or not (fake.feeds_output(node) or _is_used(fake, node)):
            continue
        yield fake.text.over(node, fake.text.of(read[0]) + f".shape[{1 - read[1]}]".encode()), _by_kernel(fake)


def _is_used(fake: Fake, node: ast.expr) -> bool:
    """Whether it is bound to a name that stands in the size of an output."""
    parent = fake.parents.get(node)
    if not (isinstance(parent, ast.Assign) and len(parent.targets) == 1 and parent.value is node):
        return False
    name = last_name(parent.targets[0])
    return any(isinstance(one, ast.Name) and one.id == name and fake.feeds_output(one) for one in fake.sizes)


@_mutator("input", "AOTI408")
def return_input(fake: Fake) -> Found:
    """The (first) output is an argument itself."""
    for node in fake.returns:
        value = node.value.elts[0] if isinstance(node.value, ast.Tuple) and node.value.elts else node.value
        if fake.tensors and value is not None and last_name(value) not in fake.tensors:
            # A schema of C++ may allow it.
            yield fake.text.over(value, fake.tensors[0].encode()), "alone" if fake.schema else "neither"


@_mutator("parameter", "AOTI410")
def remove_parameter(fake: Fake) -> Found:
    """One parameter fewer: one that the body does not use, if there is one."""
    arguments = fake.node.args
    if arguments.posonlyargs or arguments.kwonlyargs or arguments.vararg or len(arguments.args) < 2:
        return
    used = {node.id for node in fake.nodes() if isinstance(node, ast.Name)}
    unused = [i for i, a in enumerate(arguments.args) if a.arg not in used]
    index = unused[-1] if unused else len(arguments.args) - 1
    text, one = fake.text, arguments.args[index]
    if index + 1 < len(arguments.args):
        edit = (text.start(one), text.start(arguments.args[index + 1]), b"")
    else:
        before = index - 1 - (len(arguments.args) - len(arguments.defaults))
        left = arguments.defaults[before] if 0 <= before < len(arguments.defaults) else arguments.args[index - 1]
        right = arguments.defaults[-1] if arguments.defaults else one
        edit = (text.end(left), text.end(right), b"")
    yield (edit,), "alone" if fake.schema or not unused else "neither"


@_mutator("misspelt")
def misspell(fake: Fake) -> Found:
    """A name that nothing defines, where a local one stood."""
    local = {a.arg for a in fake.parameters}
    local |= {node.id for node in fake.nodes() if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for node in fake.nodes():
        if (
            isinstance(node, ast.Name)
            and isinstance(node.ctx, ast.Load)
            and node.id in local
            and not fake.is_told(node)
        ):
            yield fake.text.over(node, f"{node.id}_x".encode()), "alone"


def makes_outputs(function: ast.FunctionDef) -> bool:
    """Whether a kernel allocates what it returns in Python."""
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    return any(is_allocation(call) for call in calls)
