"""AOTI426."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, Span, catches, judge, weaker
from aoti_lint.rule.events import OpCall
from aoti_lint.rule.ops import Argument, Schema, base_name
from aoti_lint.rule.values import Const, Pairs, Size, Tensor, Text, Tup, Value

from ..package._imports import may_meet
from ._schemas import Definitions

_NOTHING, _FLAG, _WHOLE, _FRACTION, _TEXT, _TENSOR, _LIST, _DICT = (
    "None", "a bool", "a number", "a fraction", "a text", "a tensor", "a list", "a dict",
)  # fmt: skip
_NUMBERS = frozenset({_FLAG, _WHOLE, _FRACTION})
_REFUSED: dict[str, frozenset[str]] = {
    "Tensor": _NUMBERS | {_TEXT, _LIST, _DICT},
    "int": frozenset({_NOTHING, _FRACTION, _TEXT, _LIST, _DICT}),
    "SymInt": frozenset({_NOTHING, _FRACTION, _TEXT, _LIST, _DICT}),
    "float": frozenset({_NOTHING, _TEXT, _LIST, _DICT}),
    "bool": frozenset({_TEXT, _LIST, _DICT}),
    "str": _NUMBERS | {_NOTHING, _TENSOR, _LIST, _DICT},
    "Scalar": frozenset({_NOTHING, _TEXT, _TENSOR, _LIST, _DICT}),
    "ScalarType": frozenset({_NOTHING, _FRACTION, _TEXT, _LIST, _DICT}),
    "Device": _NUMBERS | {_NOTHING, _LIST, _DICT, _TENSOR},
}
"""What is not taken for an argument of a type. Run on torch 2.13, with 35 values for each of 29 types."""
_LISTED = {"Tensor": frozenset({_NOTHING, _TENSOR}), "str": frozenset[str]()}
"""What is not taken for a list of a type, beside numbers, dicts and texts."""


class OpArguments(Rule):
    """A custom op is called with arguments that its schema does not take.

    What happens:
        The call raises before a kernel or fake runs, in an export as well: `RuntimeError: mylib::scale() is missing
        value for argument 'factor'. Declaration: mylib::scale(Tensor x, float factor) -> Tensor`, `Expected a value of
        type 'int' for argument 'n' but instead found type 'float'`, `expected at most 2 argument(s) but received 3` or
        `Unknown keyword argument 'factors'`.

    Why:
        The schema decides, not the function that stands behind it: a default that only the function has does not count,
        and names are those of the schema. A whole number is taken for a float, but `4 / 2` is no int, and None is taken
        where the type ends in `?`. What `torch.library.custom_op` makes of annotations is such a schema.

    Bad:
        import torch

        torch.library.define("mylib::scale", "(Tensor x, int factor) -> Tensor")

        @torch.library.impl("mylib::scale", "CompositeExplicitAutograd")
        def scale(x, factor=2):
            return x * factor

        torch.ops.mylib.scale(torch.randn(4))  # <- AOTI426
        torch.ops.mylib.scale(torch.randn(4), 2.5)  # <- AOTI426
        torch.ops.mylib.scale(torch.randn(4), factors=3)  # <- AOTI426

    Good:
        import torch

        torch.library.define("mylib::scale", "(Tensor x, float factor=2.0) -> Tensor")

        @torch.library.impl("mylib::scale", "CompositeExplicitAutograd")
        def scale(x, factor=2.0):
            return x * factor

        torch.ops.mylib.scale(torch.randn(4))
        torch.ops.mylib.scale(torch.randn(4), 3)
        torch.ops.mylib.scale(torch.randn(4), factor=2.5)

    How to debug:
        `print(torch.ops.mylib.scale.default._schema)` shows what it takes.

    Sources:
        Run on torch 2.13: 29 types, each with 35 values; calls by position and by name.
        https://docs.pytorch.org/docs/stable/library.html
    """

    code = "AOTI426"
    name = "op-arguments"
    outcome = Outcome.RAISES

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        definitions = Definitions(facts)
        told: set[Span] = set()
        for event in facts.of(OpCall, in_exports=True):
            if event.open or event.span in told or catches(event.caught | event.expected, "RuntimeError", "TypeError"):
                continue
            defined = definitions.with_schema(event.op, event.span.path)
            # Of several forms each call takes the one that fits.
            if defined is None or definitions.has_other_form(event.op):
                continue
            schema, definition = defined
            if schema.open or schema.overload:
                continue
            place = definition.span.path
            if place.endswith(".py") and not may_meet(facts, place, event.span.path):
                continue  # one of another script, which has an op of the same name
            counted = _counted(event, schema)
            found = _typed(facts, event, schema) if counted is None else (counted, Confidence.CERTAIN)
            if found is None:
                continue
            told.add(event.span)
            what, sure = found
            in_python = place.endswith(".py") and not definition.conditional
            if not in_python or not (place == event.span.path or facts.project.context_complete):
                sure = weaker(sure, Confidence.LIKELY)
            yield self.found(
                facts,
                event,
                sure,
                f"{base_name(event.op)} {what}: the call raises",
                severity=Severity.ERROR if sure is Confidence.CERTAIN else Severity.WARNING,
                label="called here",
                related=(Related(definition.place or definition.span, f"its schema: {_signature(schema)}"),),
                help="give what the schema says, or change the schema",
            )


def _counted(event: OpCall, schema: Schema) -> str | None:
    """An argument that the call leaves out, or gives and the schema does not have."""
    placed = schema.positional
    if len(event.args) > len(placed):
        return f"takes {len(placed)} arguments by position and is given {len(event.args)}"
    by_place = {argument.name for argument in placed[: len(event.args)]}
    left_out = (a.name for a in schema.arguments if a.default is None and a.name not in by_place | event.kwargs.keys())
    if (missing := next(left_out, None)) is not None:
        return f"is called without its argument `{missing}`"
    known = {argument.name for argument in schema.arguments} - by_place
    if (strange := next((name for name in event.kwargs if name not in known), None)) is not None:
        twice = " twice" if strange in by_place else ""
        return f"is given `{strange}`{twice or ', which its schema does not have'}"
    return None


def _typed(facts: Facts, event: OpCall, schema: Schema) -> tuple[str, Confidence] | None:
    """An argument of a type that the schema does not take."""
    given = [*zip(schema.positional, event.args, strict=False)]
    given += [(a, event.kwargs[a.name]) for a in schema.arguments if a.name in event.kwargs]
    for argument, value in given:
        verdict = judge([value], event.path, lambda one, a=argument: _refused(a.type, one[0]))  # type: ignore[misc]
        if verdict is not None and verdict[0] is not Confidence.POSSIBLE:
            kind = _kind(verdict[1][0]) or "something else"
            place = event.places.get(schema.arguments.index(argument), event.places.get(argument.name))
            if kind == _NOTHING and (place is None or facts.project.text_at(place) != "None"):
                continue  # a default, in the place of which something is worked out on the way
            if kind == _LIST and argument.type.rstrip("?").endswith("]"):
                kind = f"a list with {_strange(argument.type, verdict[1][0])} in it"
            return f"takes {argument.type} for `{argument.name}` and is given {kind}", verdict[0]
    return None


def _refused(wanted: str, value: Value) -> bool:
    """Whether a value is known to be none of a type, as schemas write it."""
    kind = _kind(value)
    if not kind or (kind == _NOTHING and wanted.endswith(("?", "Tensor"))):
        return False
    plain = wanted.removesuffix("?")
    if not plain.endswith("]"):
        return kind in _REFUSED.get(plain, ())
    element, _, length = plain.removesuffix("]").rpartition("[")
    if element.endswith("?") or element not in _REFUSED:
        return False
    if kind == _LIST:
        return bool(_strange(wanted, value))
    if element == "str":
        return kind in _NUMBERS
    if kind in _NUMBERS:
        return not length or kind == _FRACTION
    return kind in {_NOTHING, _TEXT} | _LISTED.get(element, frozenset())


def _strange(wanted: str, value: Value) -> str:
    """The first item of a list that is none of a type of lists, in words; empty where there is none."""
    element = wanted.removesuffix("?").removesuffix("]").rpartition("[")[0]
    refused = _REFUSED.get(element, frozenset()) - {_LIST, _DICT} | ({_NOTHING} if element == "Tensor" else set())
    items = value.items if isinstance(value, Tup) else ()
    return next((kind for one in items if (kind := _kind(one)) in refused), "")


def _kind(value: Value) -> str:
    """What a value is, in words; empty where that is not known."""
    match value:
        case Const(value=None):
            return _NOTHING
        case Const(value=bool()):
            return _FLAG
        case Const(value=float()):
            return _FRACTION
        case Const(value=int()) | Size():
            return _WHOLE
        case Const(value=str()):
            return _TEXT
        case Text(parts=parts) if any(isinstance(part, Const) for part in parts):  # else it may be any sum
            return _TEXT
        case Tensor():
            return _TENSOR
        case Tup():
            return _LIST
        case Pairs():
            return _DICT
    return ""


def _signature(schema: Schema) -> str:
    """The arguments of a schema as it writes them."""
    parts: list[str] = []
    for argument in schema.arguments:
        if argument.keyword_only and "*" not in parts:
            parts.append("*")
        parts.append(_with_default(argument))
    return f"({', '.join(parts)})"


def _with_default(argument: Argument) -> str:
    default = "" if argument.default is None else f"={argument.default}"
    return f"{argument.type} {argument.name}{default}"
