"""Strings: methods of `str` on constants and on texts put together from unknown parts."""

from __future__ import annotations

import string
from collections.abc import Callable

from aoti_lint.language.data.containers import items_of
from aoti_lint.language.data.texts import MAX_TEXT, TOO_LARGE, concat, is_text, is_wide, to_text
from aoti_lint.language.tools import derive, label_of, plain, question
from aoti_lint.language.truths import ask
from aoti_lint.machine.alternatives import lift_all
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import METHODS, VALUES, method
from aoti_lint.values.call import Call
from aoti_lint.values.conditions import Cond
from aoti_lint.values.identity import ident
from aoti_lint.values.values import FALSE, TRUE, Const, SliceValue, Sym, Text, Tup, Unknown, Value

PURE = (
    "lower", "upper", "strip", "lstrip", "rstrip", "removeprefix", "removesuffix", "capitalize", "title", "swapcase",
    "casefold", "zfill", "ljust", "rjust", "center", "replace", "encode", "split", "rsplit", "splitlines", "partition",
    "rpartition", "find", "rfind", "index", "rindex", "count", "expandtabs",
)  # fmt: skip
"""Methods whose result depends on the text and constants alone."""
FILLING = frozenset({"ljust", "rjust", "center", "zfill", "expandtabs"})
"""Methods that make a text as long as a number says."""
QUESTIONS = (
    "startswith", "endswith", "isdigit", "isnumeric", "isdecimal", "isalpha", "isalnum", "isspace", "islower",
    "isupper", "isidentifier", "istitle", "isascii",
)  # fmt: skip
OF_STRINGS = (
    "lower", "upper", "strip", "lstrip", "rstrip", "removeprefix", "removesuffix", "casefold", "startswith",
    "endswith", "isdigit", "splitlines", "partition", "rpartition", "zfill", "capitalize", "rsplit",
)  # fmt: skip
"""Names that only strings have, so that they say what an unknown is."""

ALPHABETS = ("ascii_letters", "ascii_lowercase", "ascii_uppercase", "digits", "hexdigits", "octdigits", "punctuation")


def _alphabet(name: str) -> None:
    VALUES[f"string.{name}"] = lambda _: Const(getattr(string, name))


for _name in ALPHABETS:
    _alphabet(_name)


def _text_method(m: Machine, site: Call, receiver: Value, name: str) -> Value:
    if site.open:
        return m.unknown(site.node, "the arguments are not all known")
    values = [receiver, *site.args, *site.kwargs.values()]
    names = list(site.kwargs)

    def apply(chosen: list[Value]) -> Value:
        text, *given = chosen
        args = plain(_spread(m, given))
        label = label_of(name, given)
        if args is None:
            return Unknown(f"{ident(text)}{label}", f"the result of .{name}() is not known")
        if name in FILLING and any(isinstance(a, int) and a > MAX_TEXT for a in args):
            return Unknown(f"{ident(text)}{label}", TOO_LARGE)
        split = len(args) - len(names)
        keywords = dict(zip(names, args[split:], strict=True))
        if isinstance(text, Text) and not names:
            sure = _sure(m, text, name, args[:split])
            if sure is not None:
                return sure
        if name in QUESTIONS and not names:
            return question(m, text, name, args)
        return derive(m, text, label, lambda t: getattr(t, name)(*args[:split], **keywords))

    return lift_all(m, values, apply)


def _spread(m: Machine, given: list[Value]) -> list[Value]:
    """Tuples of constants as one constant, for `endswith((".pt2", ".so"))`."""
    found: list[Value] = []
    for value in given:
        inner = plain(value.items) if isinstance(value, Tup) else None
        found.append(Const(tuple(inner)) if inner is not None else value)
    return found


def _sure(m: Machine, text: Text, name: str, args: list[object]) -> Value | None:
    """What is certain although parts of the text are unknown; None if nothing is."""
    first, last = text.parts[0], text.parts[-1]
    head = str(first.value) if isinstance(first, Const) else ""
    tail = str(last.value) if isinstance(last, Const) else ""
    arg = args[0] if args else None
    if name in ("lower", "upper"):
        return concat([derive(m, p, f".{name}()", lambda t: getattr(str(t), name)()) for p in text.parts])
    if name in ("startswith", "endswith") and len(args) == 1:
        fixes = arg if isinstance(arg, tuple) else (arg,)
        known, at_start = (head, True) if name == "startswith" else (tail, False)
        answers = [_begins(known, str(f)) if at_start else _begins(known[::-1], str(f)[::-1]) for f in fixes]
        return TRUE if True in answers else FALSE if None not in answers else None
    if name == "removesuffix" and isinstance(arg, str) and tail.endswith(arg):
        return concat([*text.parts[:-1], Const(tail.removesuffix(arg))])
    if name == "removeprefix" and isinstance(arg, str) and head.startswith(arg):
        return concat([Const(head.removeprefix(arg)), *text.parts[1:]])
    once = args[1:] == [1]
    if isinstance(arg, str) and arg and (name == "rpartition" or (name == "rsplit" and once)) and arg in tail:
        before, after = tail.rsplit(arg, 1)
        return _cut(m, name == "rpartition", concat([*text.parts[:-1], Const(before)]), arg, Const(after))
    if isinstance(arg, str) and arg and (name == "partition" or (name == "split" and once)) and arg in head:
        before, after = head.split(arg, 1)
        return _cut(m, name == "partition", Const(before), arg, concat([Const(after), *text.parts[1:]]))
    return None


def _begins(known: str, prefix: str) -> bool | None:
    """Whether a text that begins with `known` begins with `prefix`."""
    if known.startswith(prefix):
        return True
    return None if prefix.startswith(known) else False


def _cut(m: Machine, as_tuple: bool, before: Value, separator: str, after: Value) -> Value:
    return Tup((before, Const(separator), after)) if as_tuple else m.new_list([before, after])


def _model(name: str) -> Callable[[Machine, Call, Value], Value]:
    return lambda m, site, receiver: _text_method(m, site, receiver, name)


for _name in (*PURE, *QUESTIONS):
    METHODS["str", _name] = _model(_name)
for _name in OF_STRINGS:
    METHODS["Sym", _name] = METHODS["Unknown", _name] = METHODS["Package", _name] = _model(_name)
METHODS["bytes", "decode"] = _model("decode")


@method("str", "join")
def _join(m: Machine, site: Call, receiver: Value) -> Value:
    given = site.arg(0)
    items = items_of(m, given) if given is not None else None
    if items is None or not all(is_text(m.see(i)) or isinstance(m.see(i), Text) for i in items):
        return m.unknown(site.node, "the strings to join are not all known")

    def apply(chosen: list[Value]) -> Value:
        between, *parts = chosen
        mixed: list[Value] = []
        for i, part in enumerate(parts):
            mixed += [between, part] if i else [part]
        return concat(mixed)

    return lift_all(m, [receiver, *items], apply)


@method("str", "format", "format_map")
def _format(m: Machine, site: Call, receiver: Value) -> Value:
    if site.open:
        return m.unknown(site.node, "the arguments are not all known")

    def apply(chosen: list[Value]) -> Value:
        template, *given = chosen
        positional, keywords = given[: len(site.args)], dict(zip(site.kwargs, given[len(site.args) :], strict=True))
        if isinstance(template, Const) and isinstance(template.value, str):
            if m.root.watch is not None:
                _shown(m, site, template.value, positional, keywords)
            made = format_text(m, template.value, positional, keywords)
            if made is not None:
                return made
        return Unknown(f"{ident(template)}{label_of('format', given)}", "a formatted text that was not followed")

    return lift_all(m, [receiver, *site.args, *site.kwargs.values()], apply)


def _shown(m: Machine, site: Call, template: str, args: list[Value], kwargs: dict[str, Value]) -> None:
    """Tell who looks on which values are put into a text by a format of their own."""
    assert m.root.watch is not None
    try:
        fields = [(field, spec, how) for _, field, spec, how in string.Formatter().parse(template) if field is not None]
    except ValueError:
        return
    for count, (field, spec, how) in enumerate(fields):
        place = int(field) if field.isdecimal() else count
        value = kwargs.get(field) if field and not field.isdecimal() else args[place] if place < len(args) else None
        if value is not None and spec and not how:
            m.root.watch.shown(m, site.node, m.see(value), spec)


def format_text(m: Machine, template: str, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    """`template.format(*args, **kwargs)`; None where a field cannot be followed."""
    consts = plain([*args, *kwargs.values()])
    try:
        fields = list(string.Formatter().parse(template))
        if is_wide(template) or any("{" in (spec or "") for _, _, spec, _ in fields):
            return None
        if consts is not None:
            made = template.format(*consts[: len(args)], **dict(zip(kwargs, consts[len(args) :], strict=True)))
            return Const(made) if len(made) <= MAX_TEXT else None
    except (ValueError, LookupError, AttributeError, TypeError):
        return None
    parts: list[Value] = []
    count = 0
    for literal, field, spec, conversion in fields:
        parts.append(Const(literal))
        if field is None:
            continue
        if spec or conversion:
            return None
        if field == "":
            field, count = str(count), count + 1
        named = {str(i): a for i, a in enumerate(args)} | kwargs
        value = named.get(field)
        if value is None:
            return None
        parts.append(to_text(m, value))
    return concat(parts)


@method("str", "__getitem__")
@method("Sym", "__getitem__")
def _item(m: Machine, site: Call, receiver: Value) -> Value:
    return _part(m, receiver, site.args[0])


def _part(m: Machine, receiver: Value, key: Value) -> Value:
    """`text[key]` for an index or a slice."""

    def apply(chosen: list[Value]) -> Value:
        text, index = chosen
        label = f"[{ident(index)}]"
        bounds = plain([index.lower, index.upper, index.step]) if isinstance(index, SliceValue) else None
        if bounds is not None:
            return derive(m, text, label, lambda t: t[slice(*bounds)])
        if isinstance(index, Const):
            return derive(m, text, label, lambda t: t[index.value])
        return Unknown(f"{ident(text)}{label}", "a part of a text")

    return lift_all(m, [receiver, key], apply)


@method("str", "__contains__")
@method("Sym", "__contains__")
def _contains(m: Machine, site: Call, receiver: Value) -> Value:
    """`piece in text`."""

    def apply(chosen: list[Value]) -> Value:
        text, piece = chosen
        if isinstance(text, Const) and isinstance(piece, Const) and isinstance(piece.value, str):
            return Const(piece.value in str(text.value))
        if isinstance(piece, Const) and isinstance(piece.value, str):
            known = [str(p.value) for p in text.parts if isinstance(p, Const)] if isinstance(text, Text) else []
            if any(piece.value in k for k in known):
                return TRUE
            return question(m, text, "__contains__", [piece.value])
        return ask(m, Cond(("in", ident(piece), ident(text)), "choice" if isinstance(piece, Sym) else "unknown"))

    return lift_all(m, [receiver, site.args[0]], apply)
