"""Names and functions of torch are used."""

from __future__ import annotations

from aoti_lint.diagnostics import Span
from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.values.events.event import Event
from aoti_lint.values.values import Compilation, Value


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class ApiUse(Event):
    """A torch name is imported, read or called. `guarded`: a missing name is handled or was asked for before."""

    name: str
    how: str
    guarded: bool


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class ApiCall(Event):
    """A function of torch is called (its `name` as imported), or a method of what torch made (`receiver`).

    In the forward of an export it is every function of torch; elsewhere those that export, compile, load, configure, or
    make devices (`is_told` of `language/effects/api_calls.py`). `print`, `logging` and the like are told in what is
    traced: in such a forward, and in what `torch.compile` compiles.
    `args` and `kwargs` are what it is given, as it is then: a list is a `Tup` of class `list`, a dict is `Pairs`.
    `places` says where each argument stands, by position or name. `open`: there may be more arguments. `within` are
    the compiled functions that are running. `discarded`: what it gives is thrown away.
    """

    name: str
    args: tuple[Value, ...]
    kwargs: dict[str, Value]
    places: dict[int | str, Span]
    tags: dict[Value, str]
    open: bool
    receiver: Value | None = None
    within: tuple[Compilation, ...] = ()
    discarded: bool = False

    def arg(self, index: int | None, name: str | None = None) -> Value | None:
        """The argument at a position or of a name, None where it is not given."""
        if index is not None and index < len(self.args):
            return self.args[index]
        return self.kwargs.get(name) if name is not None else None

    def place(self, index: int | None, name: str | None = None) -> Span:
        """Where that argument stands; the call where that is not known."""
        if index is not None and index < len(self.args):
            return self.places.get(index, self.span)
        return self.places.get(name, self.span) if name is not None else self.span

    def tag(self, value: Value) -> str:
        """What kind of thing an argument (or what it is on one path) is: `Module`, `Program`, `list`, `str` …

        Empty where it is not known.
        """
        return self.tags.get(value, "")
