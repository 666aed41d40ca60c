"""A fake function as Python source, from what trials of the kernel taught."""

from __future__ import annotations

import keyword
from collections.abc import Iterator
from dataclasses import field

from aoti_lint.rule import dataclass
from aoti_lint.rule.ops import Argument
from aoti_lint.rule.shapes import Expr
from aoti_lint.rule.trials import (
    Broadcast,
    Fork,
    Learned,
    Lost,
    Made,
    Number,
    Outcome,
    Part,
    Returned,
    Template,
    argument_key,
    shape_of,
)

INDENT = "    "
SEEN = "# What the kernel returns for other arguments was not worked out."
_LOOSE, _TIGHT, _ATOM = 1, 2, 3
_BINDS = {"+": _LOOSE, "-": _LOOSE, "*": _TIGHT, "//": _TIGHT, "%": _TIGHT}
LISTED = -1
LONGEST = 90
"""Characters of the outputs that stand on one line."""


@dataclass(slots=True)
class FakeText:
    """The text of the fake of `op`, without decorator.

    `arguments` are those of its schema, with defaults as Python writes them; `count` is its number of outputs (-1: a
    list, None: not known). `torch` is the name of torch in the file. After `lines`, `missing` says what is not known.
    """

    op: str
    arguments: tuple[Argument, ...]
    learned: Learned
    count: int | None
    torch: str
    missing: list[str] = field(default_factory=list)
    contiguous: set[str] = field(default_factory=set)

    @property
    def names(self) -> dict[str, str]:
        """The arguments by their keys."""
        return {argument_key(index): argument.name for index, argument in enumerate(self.arguments)}

    def lines(self, name: str) -> list[str]:
        """The function, called `name`."""
        body = list(self._outcome(self.learned.outcome))
        checks = list(self._checks()) if len(self.missing) < _leaves(self.learned.outcome) else []
        head = [SEEN, *checks] if checks else []
        return [f"def {name}({self._parameters()}):", *(f"{INDENT}{line}" for line in [*head, *body])]

    def _parameters(self) -> str:
        made: list[str] = []
        for one in self.arguments:
            if one.keyword_only and "*" not in made:
                made.append("*")
            made.append(one.name if one.default is None else f"{one.name}={one.default}")
        return ", ".join(made)

    # ------------------------------------------------------------ what must hold

    def _checks(self) -> Iterator[str]:
        for key, rank in self.learned.ranks:
            yield self._check(f"{self.names[key]}.dim() == {rank}", key)
        for first, *rest in self.learned.tied:
            for key in rest:
                yield self._check(f"{self.names[key]}.dim() == {self.names[first]}.dim()", key, first)
        for key in sorted(self.learned.floats):
            yield self._check(f"{self.names[key]}.is_floating_point()", key)
        pairs = {(first, key): None for first, *rest in self.learned.alike for key in rest}
        for first, key in pairs:
            yield self._check(f"{self.names[key]}.dtype == {self.names[first]}.dtype", key, first)
        for one, other in self.learned.equal:
            yield self._check(f"{self._size(one)} == {self._size(other)}")
        for key in sorted(self.contiguous):
            yield self._check(f"{self.names[key]}.is_contiguous()", key)

    def _check(self, text: str, *keys: str) -> str:
        for key in keys:
            if self._argument(key).optional:
                text = f"{self.names[key]} is None or {text}"
        return f"{self.torch}._check({text})"

    def _argument(self, key: str) -> Argument:
        return self.arguments[int(key.removeprefix("arg"))]

    # ------------------------------------------------------------ what is returned

    def _outcome(self, outcome: Outcome) -> Iterator[str]:
        match outcome:
            case Fork(argument, test, then, other):
                yield f"if {self.names[argument]}{' is not None' if test == 'given' else ''}:"
                for line in self._outcome(then):
                    yield f"{INDENT}{line}"
                yield from self._outcome(other)
            case Lost(reason):
                yield from self._raise(reason)
            case Returned():
                yield from self._returned(outcome)

    def _raise(self, *reasons: str) -> Iterator[str]:
        self.missing += reasons
        text = f"fake of {self.op}: {'; '.join(reasons)}"
        yield f"raise NotImplementedError({text!r})"

    def _returned(self, outcome: Returned) -> Iterator[str]:
        given = {"none": 0, "one": 1}.get(outcome.how, len(outcome.items))
        listed = self.count == LISTED
        if (listed and outcome.how in ("none", "one")) or (not listed and self.count not in (None, given)):
            yield from self._raise("its kernel returns another number of outputs than its schema has")
            return
        several = [f"output {i}" for i in range(given)] if given > 1 or listed else ["the output"]
        missing: list[str] = []
        texts: list[str] = []
        for item, name in zip(outcome.items, several, strict=False):
            lacks = self._lacks(item)
            missing += [f"the {_listed(lacks)} of {name}"] if lacks else []
            texts.append("" if lacks else self._item(item))
        if missing:
            for item, name in zip(outcome.items, several, strict=False):
                if known := self._known(item):
                    yield f"# {name}: {known}"
            yield from self._raise(_joined(missing))
            return
        yield from self._sizes_of_data(outcome)
        for item in outcome.items:
            if isinstance(item, Made) and item.layout.kind == "plain":
                self.contiguous |= item.layout.arguments
        listed = listed or (self.count is None and outcome.how == "list")
        text = ", ".join(texts)
        if len(texts) > 1 and len(text) > LONGEST:
            yield "return [" if listed else "return ("
            yield from (f"{INDENT}{one}," for one in texts)
            yield "]" if listed else ")"
        else:
            yield f"return [{text}]" if listed else f"return {text or None}"

    def _sizes_of_data(self, outcome: Returned) -> Iterator[str]:
        names = {e[1] for item in outcome.items if isinstance(item, Made) for e in _others(item.shape)}
        for name in sorted(names):
            yield f"{self._data(name)} = {self.torch}.library.get_ctx().new_dynamic_size()"

    def _data(self, name: str) -> str:
        """The variable for a size that the data decides."""
        number = int(name.rpartition(":")[2])
        made = f"count{number}" if number else "count"
        while made in self.names.values():
            made = f"{made}_"
        return made

    # ------------------------------------------------------------ one output

    def _lacks(self, item: Made | Number) -> list[str]:
        """What is not known of an output."""
        if isinstance(item, Number):
            return [] if item.expr is not None and self._is_sizable(item.expr) else ["value"]
        lacks = []
        if item.shape is None or not self._is_writable(item.shape):
            lacks.append("sizes")
        if item.dtype is None or (item.dtype.startswith("?") and self._dtype_of(item.dtype[1:]) is None):
            lacks.append("dtype")
        if item.device is None or (item.device == "" and not self._has_device(item)):
            lacks.append("device")
        listed = any(self._argument(key).is_list for key in item.layout.arguments)
        if item.layout.kind in ("unknown", "part") or (listed and item.layout.kind != "contiguous"):
            lacks.append("strides")
        return lacks

    def _known(self, item: Made | Number) -> str:
        """What is known of an output of which something is not."""
        if isinstance(item, Number):
            return "" if self._lacks(item) else f"{self._item(item)}"
        lacks = self._lacks(item)
        if not lacks:
            return self._item(item)
        known = []
        if "sizes" not in lacks and item.shape is not None:
            known.append(f"sizes {self._shape(item.shape)}")
        if "dtype" not in lacks and item.dtype is not None:
            known.append(f"dtype {self._dtype(item.dtype)}")
        return ", ".join(known)

    def _item(self, item: Made | Number) -> str:
        """The call that makes an output."""
        if isinstance(item, Number):
            assert item.expr is not None
            return self._size(item.expr)
        assert item.shape is not None
        assert item.dtype is not None
        like = next(iter(item.layout.arguments), "") if item.layout.kind == "like" else ""
        base = like or self._base(item.dtype)
        more = []
        if not base or item.dtype != f"?{base}":
            more.append(f"dtype={self._dtype(item.dtype)}")
        if item.device:
            more.append(f'device="{item.device}"')
        elif not base:
            more.append(f"device={next(a.name for a in self.arguments if a.element == 'Device')}")
        if like:
            return f"{self.torch}.empty_like({', '.join([self.names[like], *more])})"
        maker = f"{self.names[base]}.new_empty" if base else f"{self.torch}.empty"
        if item.layout.kind == "rows":
            count, width = (self._size(e) for e in item.shape if not isinstance(e, Part))  # type: ignore[union-attr]
            return f"{self.names[base]}.new_empty_strided(({count}, {width}), (1, {count}), {', '.join(more)})"
        return f"{maker}({', '.join([self._shape(item.shape), *more])})"

    def _base(self, dtype: str) -> str:
        """The tensor argument that an output is made from, if there is any: that of its dtype, or else the first."""
        plain = [argument_key(i) for i, a in enumerate(self.arguments) if a.type == "Tensor"]
        return dtype[1:] if dtype[1:] in plain else plain[0] if plain else ""

    def _has_device(self, item: Made) -> bool:
        plain = any(a.type == "Tensor" for a in self.arguments)
        return plain or item.layout.kind == "like" or [a.type for a in self.arguments].count("Device") == 1

    def _dtype_of(self, key: str) -> str | None:
        argument = self._argument(key)
        if argument.type == "Tensor" or argument.type == "Tensor?":
            return f"{argument.name}.dtype"
        return argument.name if argument.type == "ScalarType" else None

    def _dtype(self, dtype: str) -> str:
        if dtype.startswith("?"):
            return self._dtype_of(dtype[1:]) or ""
        return f"{self.torch}.{dtype.removeprefix('torch.')}"

    # ------------------------------------------------------------ sizes

    def _is_writable(self, shape: Template | Broadcast) -> bool:
        return isinstance(shape, Broadcast) or all(isinstance(e, Part) or self._is_sizable(e) for e in shape)

    def _is_sizable(self, expr: Expr) -> bool:
        """Whether a fake can write it so that it stays a symbol."""
        if expr[0] == "const":
            return isinstance(expr[1], int)
        if expr[0] in ("dim", "arg", "other", "rank", "numel"):
            return expr[0] != "arg" or self._argument(expr[1]).element in ("SymInt", "int")
        if expr[0] in ("ceil", "floor"):
            return expr[1][0] == "/" and all(map(self._is_sizable, expr[1][1:]))
        known = expr[0] in _BINDS or (expr[0] in ("max", "min") and len(expr) == 3) or expr[0] == "neg"
        return known and all(map(self._is_sizable, expr[1:]))

    def _shape(self, shape: Template | Broadcast) -> str:
        if isinstance(shape, Broadcast):
            return f"{self.torch}.broadcast_shapes({', '.join(f'{self.names[k]}.shape' for k in shape.arguments)})"
        if len(shape) == 1 and isinstance(shape[0], Part):
            return self._part(shape[0])
        items = [f"*{self._part(e)}" if isinstance(e, Part) else self._size(e) for e in shape]
        return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"

    def _part(self, part: Part) -> str:
        name = f"{self.names[part.argument]}.shape"
        if (part,) == shape_of(part.argument):
            return name
        return f"{name}[{part.start or ''}:{-part.back or ''}]"

    def _size(self, expr: Expr, around: int = 0) -> str:
        """A size as Python writes it; in brackets where what is `around` binds as tightly."""
        kind = expr[0]
        if kind == "const":
            return f"({expr[1]})" if expr[1] < 0 and around else str(expr[1])
        if kind == "dim":
            return f"{self.names[expr[1]]}.shape[{expr[2]}]"
        if kind == "arg":
            return self.names[expr[1]]
        if kind == "other":
            return self._data(expr[1])
        if kind in ("rank", "numel"):
            return f"{self.names[expr[1]]}.{'dim' if kind == 'rank' else 'numel'}()"
        if kind in ("max", "min"):
            return f"{self.torch}.sym_{kind}({', '.join(self._size(e) for e in expr[1:])})"
        if kind == "neg":
            made, binds = f"-{self._size(expr[1], _ATOM)}", _TIGHT
        elif kind in ("ceil", "floor"):
            up = kind == "ceil"
            one, other = expr[1][1:]
            text = f"{'-' if up else ''}{self._size(one, _ATOM)} // {self._size(other, _ATOM)}"
            made, binds = f"-({text})" if up else text, _TIGHT
        else:
            binds = _BINDS[kind]
            made = f"{self._size(expr[1], binds - 1)} {kind} {self._size(expr[2], binds)}"
        return f"({made})" if binds <= around else made


def _others(shape: Template | Broadcast | None) -> Iterator[Expr]:
    """The sizes in a shape that the data decides."""
    todo = [] if shape is None or isinstance(shape, Broadcast) else [e for e in shape if isinstance(e, Expr)]
    while todo:
        one = todo.pop()
        if one[0] == "other":
            yield one
        else:
            todo += [part for part in one[1:] if isinstance(part, Expr)]


def _leaves(outcome: Outcome) -> int:
    return _leaves(outcome.then) + _leaves(outcome.other) if isinstance(outcome, Fork) else 1


def _listed(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _joined(missing: list[str]) -> str:
    one = len(missing) == 1 and missing[0].startswith(("the dtype of", "the device of", "the value of"))
    return f"{_listed(missing)} {'is' if one else 'are'} not known"


def usable(arguments: tuple[Argument, ...], torch: str) -> bool:
    """Whether a function can have parameters of these names."""
    names = [one.name for one in arguments]
    plain = all(name.isidentifier() and not keyword.iskeyword(name) for name in names)
    return plain and torch not in names and len(set(names)) == len(names)
