"""Command lines whose words are known: what `argparse` makes of them.

Release 3.11 of Python, `argparse.py`: `_parse_known_args`, `_get_values`. What is beyond the usual forms is not parsed.
"""

from __future__ import annotations

from aoti_lint.language.data.defaults import by_default
from aoti_lint.language.data.paths import as_text
from aoti_lint.language.data.texts import concat
from aoti_lint.language.tools import slot
from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.machine.machine import Machine
from aoti_lint.models.process.options import PLAIN_TYPES, Option, symbol, through
from aoti_lint.values.call import Call
from aoti_lint.values.values import FALSE, NONE, TRUE, Const, Obj, Pairs, Ref, Text, Tup, Value


class NotParsed(Exception):
    """The words are of a form that is not followed."""


@dataclass(slots=True)
class Words:
    """The words that are left."""

    left: list[Value]

    def take(self) -> Value:
        if not self.left:
            raise NotParsed
        return self.left.pop(0)


def parse(m: Machine, site: Call, parser: Obj, words: list[Value]) -> dict[str, Value] | None:
    """The attributes that parsing these words gives; None where that is not followed."""
    try:
        return _parse(m, site, parser, Words([as_text(m, m.see(w)) for w in words]))
    except NotParsed:
        return None


def _parse(m: Machine, site: Call, parser: Obj, words: Words) -> dict[str, Value]:
    options = _declared(m, parser)
    values = {o.dest: by_default(symbol(m, site.node, o, "")) for o in options if o.dest != "#none"}
    defaults = slot(m, parser, "#defaults", Pairs(()))
    for key, value in defaults.pairs if isinstance(defaults, Pairs) else ():
        values[str(key.value) if isinstance(key, Const) else ""] = value
    positional = [o for o in options if not o.flags]
    commands = slot(m, parser, "#commands")
    while words.left:
        flag = flag_of(words.left[0])
        if flag is not None:
            word = words.take()
            if "=" in flag:
                words.left.insert(0, rest_of(word))
            _flagged(m, site, options, flag.partition("=")[0], words, values)
        elif positional:
            option = positional.pop(0)
            values[option.dest] = _argument(m, site, option, words, last=not positional)
        elif isinstance(commands, Obj):
            _command(m, site, commands, words, values)
        else:
            raise NotParsed
    return values


def _declared(m: Machine, parser: Obj) -> list[Option]:
    """The options of a parser that surely has these and no others."""
    held = slot(m, parser, "#options", Tup(()))
    options = [o for o in held.items if isinstance(o, Option)] if isinstance(held, Tup) else []
    if not isinstance(held, Tup) or len(options) < len(held.items) or slot(m, parser, "#open") != NONE:
        raise NotParsed
    return options


def flag_of(word: Value) -> str | None:
    """The word where it is an option; None where it is a value."""
    head = word.parts[0] if isinstance(word, Text) else word
    text = head.value if isinstance(head, Const) and isinstance(head.value, str) else ""
    if len(text) < 2 or text[0] != "-" or text[1:].replace(".", "", 1).isdigit():
        return None
    if text == "--" or (isinstance(word, Text) and "=" not in text):
        raise NotParsed
    return text


def rest_of(word: Value) -> Value:
    """What follows `--name=` in one word."""
    if isinstance(word, Text) and isinstance(first := word.parts[0], Const):
        return concat([Const(str(first.value).partition("=")[2]), *word.parts[1:]])
    return Const(str(word.value).partition("=")[2] if isinstance(word, Const) else "")


def _flagged(m: Machine, site: Call, options: list[Option], name: str, words: Words, values: dict[str, Value]) -> None:
    """One option and its value."""
    option, denied = _named(options, name)
    match option.action:
        case "store_true" | "store_false":
            values[option.dest] = TRUE if option.action == "store_true" else FALSE
        case "boolean":
            values[option.dest] = FALSE if denied else TRUE
        case "store_const":
            values[option.dest] = option.const
        case "store":
            values[option.dest] = _argument(m, site, option, words)
        case "append" if option.nargs == NONE:
            before = m.see(values[option.dest])
            held = m.read(before.ident, "#items") if isinstance(before, Obj) else Tup(())
            if not isinstance(held, Tup):
                raise NotParsed
            values[option.dest] = m.new_list([*held.items, converted(m, site, option, words.take())])
        case _:
            raise NotParsed


def _named(options: list[Option], name: str) -> tuple[Option, bool]:
    """The option of this name, in full or abbreviated, and whether it is its `--no-` form."""
    exact = [o for o in options if name in o.flags]
    if exact:
        return exact[0], False
    denied = [o for o in options if o.action == "boolean" and name in {f"--no-{f[2:]}" for f in o.flags}]
    if denied:
        return denied[0], True
    begun = [o for o in options if name.startswith("--") and any(f.startswith(name) for f in o.flags)]
    if len(begun) != 1 or begun[0].action == "boolean":
        raise NotParsed
    return begun[0], False


def _argument(m: Machine, site: Call, option: Option, words: Words, last: bool = True) -> Value:
    """The value of an option or argument, off the words."""
    match option.nargs:
        case Const(None):
            return converted(m, site, option, words.take())
        case Const("?"):
            if words.left and flag_of(words.left[0]) is None:
                return converted(m, site, option, words.take())
            return option.const
        case Const(int() as count):
            return m.new_list([converted(m, site, option, words.take()) for _ in range(count)])
        case Const("+" | "*") if last:
            found: list[Value] = []
            while words.left and flag_of(words.left[0]) is None:
                found.append(converted(m, site, option, words.take()))
            return m.new_list(found)
        case _:
            raise NotParsed


def converted(m: Machine, site: Call, option: Option, word: Value) -> Value:
    """A word as the type of its option makes it."""
    if flag_of(word) is not None:
        raise NotParsed
    kind = option.type
    if kind is None or kind == Ref("str"):
        return word
    convert = PLAIN_TYPES.get(kind.name) if isinstance(kind, Ref) else None
    if convert is not None and isinstance(word, Const) and isinstance(word.value, str):
        try:
            return Const(convert(word.value))
        except ValueError:
            raise NotParsed from None
    return through(m, site.node, kind, word)


def _command(m: Machine, site: Call, commands: Obj, words: Words, values: dict[str, Value]) -> None:
    """The command that is named, with the words that follow it."""
    name = words.take()
    held = slot(m, commands, "#items", Pairs(()))
    parser = next((p for k, p in held.pairs if k == name), None) if isinstance(held, Pairs) else None
    if not isinstance(parser, Obj):
        raise NotParsed
    dest = slot(m, commands, "#dest")
    if isinstance(dest, Const) and isinstance(dest.value, str):
        values[dest.value] = name
    values |= _parse(m, site, parser, words)
