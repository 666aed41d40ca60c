"""How the caller's arguments are nested: torch's serialised tree specs.

Source: `torch/utils/_pytree.py` (`treespec_dumps`, protocol 1), read for 2.4–2.15.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aoti_lint.files.formats import parse_json
from aoti_lint.program.errors import Unreadable

MAX_TEXT = 4 << 20
"""Characters of one tree spec."""

MAX_DEPTH = 100
"""Tuples, lists and dicts in each other."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A node: `kind` is None for a leaf, else "tuple", "list", "dict" or the qualified name of another type.

    `keys` are the keys of a dict, or the names of fields, one for each child.
    """

    kind: str | None
    keys: tuple[object, ...]
    children: tuple[Tree, ...]
    dict_type: str = "dict"
    """Which dict it is: an `OrderedDict` is none for torch."""

    @property
    def leaves(self) -> int:
        """How many leaves stand below."""
        return 1 if self.kind is None else sum(child.leaves for child in self.children)


LEAF = Tree(None, (), ())
_PLAIN = {"builtins.tuple": "tuple", "builtins.list": "list", "builtins.dict": "dict",
          "collections.OrderedDict": "dict", "collections.defaultdict": "dict"}  # fmt: skip


def parse_treespec(text: str, fields: Mapping[str, tuple[str, ...]] | None = None) -> Tree:
    """The tree a serialised spec describes; `fields` are those of named tuples. Raises `Unreadable` when it is none."""
    if len(text) > MAX_TEXT:
        raise Unreadable("the description of the arguments is too long to look into")
    try:
        protocol, spec = parse_json(text)
        if protocol != 1:
            raise Unreadable(f"the arguments are described in a way this version does not know (protocol {protocol})")
        return _tree(spec, fields or {}, 0)
    except (ValueError, TypeError, KeyError, AttributeError):
        raise Unreadable("the description of the arguments is broken") from None


def _tree(spec: dict[str, Any], fields: Mapping[str, tuple[str, ...]], depth: int) -> Tree:
    if depth > MAX_DEPTH:
        raise Unreadable(f"the arguments are nested more than {MAX_DEPTH} deep")
    kind = spec["type"]
    if kind is None:
        return LEAF
    children = tuple(_tree(child, fields, depth + 1) for child in spec["children_spec"])
    context = spec.get("context")
    keys = _keys(kind, context, len(children))
    for name in (str(kind), context.strip('"') if isinstance(context, str) else ""):
        if len(fields.get(name, ())) == len(children) > 0:
            keys = fields[name]
    return Tree(_PLAIN.get(kind, str(kind)), keys, children, str(kind).rpartition(".")[2])


def _keys(kind: str, context: object, count: int) -> tuple[object, ...]:
    """The keys of the children. torch stores the context as JSON text; that of a dataclass is a list of lists."""
    value: object = context
    if isinstance(context, str):
        try:
            value = parse_json(context)
        except ValueError:
            value = None
    if kind == "collections.defaultdict" and isinstance(value, list) and len(value) == 2:
        value = value[1]
    if isinstance(value, list) and value and isinstance(value[0], list):
        # A dataclass: the names of its fields, and of those that are None.
        value = value[0]
    if isinstance(value, list) and len(value) == count:
        return tuple(value)
    return tuple(range(count))


def leaf_paths(tree: Tree, names: Sequence[str] | None = None) -> list[str]:
    """How Python reaches each leaf of the arguments, in the order torch flattens them.

    `tree` is that of `(args, kwargs)`. `names` are those of the parameters, positional ones first; without them
    positional arguments are `args[0]`, `args[1]`, …
    """
    args, kwargs = tree.children
    paths: list[str] = []
    for index, child in enumerate(args.children):
        base = names[index] if names is not None and index < len(names) else f"args[{index}]"
        _walk(child, base, paths)
    for key, child in zip(kwargs.keys, kwargs.children, strict=True):
        _walk(child, str(key), paths)
    return paths


def output_paths(tree: Tree) -> list[str]:
    """How Python reaches each leaf of the result, which is called `out`."""
    paths: list[str] = []
    _walk(tree, "out", paths)
    return paths


def signature(tree: Tree) -> str:
    """The way to pass the arguments, with a star for each leaf: `(*, [*, *], flag=*)`."""
    args, kwargs = tree.children
    parts = [_shown(child) for child in args.children]
    parts += [f"{key}={_shown(child)}" for key, child in zip(kwargs.keys, kwargs.children, strict=True)]
    return f"({', '.join(parts)})"


def is_call(tree: Tree) -> bool:
    """Whether a tree is that of `(args, kwargs)`."""
    return len(tree.children) == 2 and tree.children[0].kind in ("tuple", "list") and tree.children[1].kind == "dict"


def _walk(tree: Tree, base: str, paths: list[str]) -> None:
    if tree.kind is None:
        paths.append(base)
        return
    for key, child in zip(tree.keys, tree.children, strict=True):
        fields = tree.kind not in ("tuple", "list", "dict") and isinstance(key, str) and key.isidentifier()
        _walk(child, f"{base}.{key}" if fields else f"{base}[{key!r}]", paths)


def _shown(tree: Tree) -> str:
    inner = [_shown(child) for child in tree.children]
    match tree.kind:
        case None:
            return "*"
        case "tuple":
            return f"({', '.join(inner)}{',' if len(inner) == 1 else ''})"
        case "list":
            return f"[{', '.join(inner)}]"
        case "dict":
            items = "{" + ", ".join(f"{k!r}: {v}" for k, v in zip(tree.keys, inner, strict=True)) + "}"
            return items if tree.dict_type == "dict" else f"{tree.dict_type}({items})"
        case kind:
            return f"{kind.rpartition('.')[2]}({', '.join(inner)})"
