"""How the arguments are nested, from the one-line form of it (`(*, [*, *], flag=*)`)."""

from __future__ import annotations

import ast
import io
import keyword
import re
import tokenize
from collections.abc import Sequence
from typing import NamedTuple

from aoti_lint.program import facts
from aoti_lint.program.contract.model import Node


class Arguments(NamedTuple):
    """The arguments as nodes, and the path of each leaf."""

    positional: tuple[Node, ...]
    keyword: tuple[Node, ...]
    paths: dict[str, str]
    """The path of a leaf in the file, to the one in the contract."""


def arguments(structure: str | None, inputs: Sequence[facts.Input], names: Sequence[str] | None) -> Arguments | None:
    """The arguments that a one-line `structure` describes, whose leaves are `inputs`.

    `names` are those of the parameters of forward. None if the structure is not known or does not fit.
    """
    if structure is None:
        return None
    try:
        call = ast.parse(f"f{_plain_stars(structure)}", mode="eval").body
        if not isinstance(call, ast.Call):
            return None
        reader = _Reader(inputs)
        own = _names(len(call.args), names, [item.arg or "" for item in call.keywords])
        positional = []
        for index, arg in enumerate(call.args):
            given = names[index] if names is not None and index < len(names) else f"args[{index}]"
            positional.append(reader.node(arg, own[index], given))
        keywords = [reader.node(item.value, item.arg or "", item.arg or "") for item in call.keywords]
    except (SyntaxError, ValueError, LookupError, RecursionError, tokenize.TokenError):
        return None
    if reader.count != len(inputs):
        return None
    return Arguments(tuple(positional), tuple(keywords), reader.paths)


def flat(inputs: Sequence[facts.Input]) -> Arguments:
    """The inputs one after the other, where their structure is not known."""
    nodes = tuple(Node(path=f"input_{i}", kind="leaf", input=i) for i in range(len(inputs)))
    return Arguments(nodes, (), {item.path: node.path for item, node in zip(inputs, nodes, strict=True)})


def _plain_stars(text: str) -> str:
    """The text with every star that stands for a leaf made a name."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return tokenize.untokenize((t.type, "_" if t.type == tokenize.OP and t.string == "*" else t.string) for t in tokens)


def _names(count: int, names: Sequence[str] | None, keywords: Sequence[str]) -> list[str]:
    """How Python reaches the positional arguments: by the names of forward where it can say them, else as `*args`."""
    own = list(names or ())[:count]
    usable = len(own) == count and len({*own, *keywords}) == count + len(keywords)
    if usable and all(name.isidentifier() and not keyword.iskeyword(name) for name in own):
        return own
    stem = "args" if "args" not in keywords else "positional"
    return [f"{stem}[{index}]" for index in range(count)]


class _Reader:
    def __init__(self, inputs: Sequence[facts.Input]) -> None:
        self._inputs = inputs
        self.count = 0
        self.paths: dict[str, str] = {}

    def node(self, tree: ast.expr, path: str, given: str) -> Node:
        """The node at `path`; the file calls it `given`."""
        kind: str
        match tree:
            case ast.Name("_"):
                self.paths[self._inputs[self.count].path] = path
                self.count += 1
                return Node(path=path, kind="leaf", input=self.count - 1)
            case ast.Tuple(elts) | ast.List(elts):
                kind, parts = "tuple" if isinstance(tree, ast.Tuple) else "list", elts
                keys: list[str | int] = list(range(len(elts)))
            case ast.Dict(keys=found, values=values):
                kind, parts = "dict", values
                keys = [_key(item) for item in found]
            case ast.Call(func=ast.Name(name), args=[ast.Dict() as inner]) if name in ("OrderedDict", "defaultdict"):
                return self.node(inner, path, given).model_copy(update={"type": name})
            case ast.Call(args=elts):
                return self._fields(elts, path, given)
            case _:
                raise ValueError(type(tree).__name__)
        children = tuple(
            self.node(part, f"{path}[{key!r}]", f"{given}[{key!r}]") for key, part in zip(keys, parts, strict=True)
        )
        return Node(path=path, kind=kind, keys=tuple(keys), children=children, type=kind)  # type: ignore[arg-type]

    def _fields(self, parts: Sequence[ast.expr], path: str, given: str) -> Node:
        """A named tuple, a dataclass or the like; the names of the fields are in the paths of the leaves."""
        keys: list[str | int] = []
        children = []
        for index, part in enumerate(parts):
            rest = self._inputs[self.count].path[len(given) :]
            name = re.match(r"\.(\w+)", rest)
            known = name is not None and name[1].isidentifier() and not keyword.iskeyword(name[1])
            key: str | int = name[1] if name is not None and known else index
            step = f".{key}" if known else f"[{key!r}]"
            children.append(self.node(part, path + step, given + step))
            keys.append(key)
        return Node(path=path, kind="fields", keys=tuple(keys), children=tuple(children))


def _key(item: ast.expr | None) -> str | int:
    match item:
        case ast.Constant(value=str() | int() as value):
            return value
        case _:
            raise ValueError("a key of another kind")
