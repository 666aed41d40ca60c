"""AOTI523."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, Severity, VersionSet, catches, dataclass, judge
from aoti_lint.rule.events import ApiCall, EnvWrite
from aoti_lint.rule.torch import api
from aoti_lint.rule.values import NONE, Const, Ref, Value

_FUNCTION = "torch._logging.set_logs"
_VARIABLE = "TORCH_LOGS"


class LogSettings(Rule):
    """`torch._logging.set_logs` is given a value that it refuses, or is called where TORCH_LOGS is set.

    What happens:
        A log takes a level of Python's `logging`, an artifact takes True or False; anything else raises, also one for
        the other:

            ValueError: Unrecognized log level for log dynamo: True, valid level values are: 50,40,30,20,10,0
            ValueError: Expected bool to enable artifact output_code, received 10

        Where the variable TORCH_LOGS is set, even to an empty text, torch writes `Using TORCH_LOGS environment variable
        for log settings, ignoring call to set_logs`, and the call does nothing.

    Why:
        `TORCH_LOGS="+dynamo,output_code"` and `set_logs(dynamo=logging.DEBUG, output_code=True)` say the same. Logs
        (`dynamo`, `aot`, `inductor`, `dynamic`, `export` …) have a level, artifacts (`graph_breaks`, `recompiles`,
        `output_code`, `guards` …) are written or not.

    Bad:
        import torch

        torch._logging.set_logs(dynamo=True)  # <- AOTI523
        torch._logging.set_logs(output_code=10)  # <- AOTI523

    Bad:
        import logging
        import os

        os.environ["TORCH_LOGS"] = "recompiles"
        import torch

        torch._logging.set_logs(dynamo=logging.DEBUG)  # <- AOTI523

    Good:
        import logging

        import torch

        torch._logging.set_logs(dynamo=logging.DEBUG, output_code=True)

    How to debug:
        `TORCH_LOGS=help python -c "import torch"` lists all logs and artifacts.

    Sources:
        Run on torch 2.13 (21 calls); `torch/_logging/_internal.py` of the releases 2.4.1 to 2.15.0.
        https://docs.pytorch.org/docs/stable/generated/torch._logging.set_logs.html
    """

    code = "AOTI523"
    name = "log-settings"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in facts.of(ApiCall):
            if event.name == _FUNCTION:
                found = self._ignored(facts, event)
                yield from self._refused(facts, event) if found is None else [found]

    def _ignored(self, facts: Facts, event: ApiCall) -> Diagnostic | None:
        """The variable is set in the process by then."""
        writes = [one for one in facts.of(EnvWrite) if one.name == _VARIABLE and one.is_before(event)]
        before = [one for one in writes if one.target != "child"]
        last = max(before, key=lambda one: one.order, default=None)
        verdict = None if last is None else judge([last.value], event.path, lambda v: _is_text(v[0]))
        if last is None or verdict is None:
            return None
        return self.found(
            facts,
            event,
            verdict,
            f"{_VARIABLE} is set: set_logs does nothing",
            severity=Severity.WARNING,
            outcome=Outcome.NO_EFFECT,
            label="ignored",
            related=(Related(last.span, f"{_VARIABLE} is set here"),),
            help=f"keep one of the two: all in {_VARIABLE}, or all in set_logs",
        )

    def _refused(self, facts: Facts, event: ApiCall) -> Iterator[Diagnostic]:
        """Values of the wrong kind."""
        if catches(event.caught | event.expected, "ValueError"):
            return
        for name, given in event.kwargs.items():
            for kind, versions in _kinds(event, name).items():
                verdict = judge([given], event.path, kind.refuses)
                if versions and verdict is not None:
                    yield self.found(
                        facts,
                        event,
                        verdict,
                        f"{name} is {kind.called}, for which set_logs takes {kind.takes}: it raises",
                        span=event.place(None, name),
                        failing=versions,
                        label=f"takes {kind.takes}",
                        help=f"write {name}={kind.example}",
                    )


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of keywords: what a message calls it, what it takes in words, an example, and its levels if it has any."""

    called: str
    takes: str
    example: str
    levels: tuple[int, ...] = ()

    def refuses(self, values: list[Value]) -> bool | None:
        """Whether a value is known to be refused."""
        (given,) = values
        if isinstance(given, Ref) and given.name.startswith("logging."):
            return not self.levels
        if not isinstance(given, Const) or given == NONE:
            return None if given != NONE else False
        return given.value not in self.levels if self.levels else not isinstance(given.value, bool)


_LOG = _Kind("a log", "a level such as logging.DEBUG", "logging.DEBUG", (50, 40, 30, 20, 10, 0))
_ARTIFACT = _Kind("an artifact", "True or False", "True")


def _kinds(event: ApiCall, name: str) -> dict[_Kind, VersionSet]:
    """Of which kind a keyword is, with the releases in which it is that."""
    found: dict[_Kind, VersionSet] = {}
    for versions, signature in api.signatures(event.name):
        parameter = signature.parameter(name)
        if parameter is not None and name != "modules":
            kind = _ARTIFACT if parameter.default == "False" else _LOG
            found[kind] = found.get(kind, VersionSet()) | (versions & event.versions)
    return found


def _is_text(value: Value) -> bool | None:
    return isinstance(value.value, str) if isinstance(value, Const) else None
