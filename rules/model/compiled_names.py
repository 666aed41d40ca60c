"""AOTI708."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Span, catches, judge, weaker
from aoti_lint.rule.archives import Checkpoint, Names
from aoti_lint.rule.events import ExportEvent, FileEvent, WeightsGiven
from aoti_lint.rule.links import archive_of, link_between, overall, programs_of, writers_of
from aoti_lint.rule.torch import WRAPPED
from aoti_lint.rule.values import FALSE, NONE, Const, Loaded, Pairs, Program, Value

from ..flags._compile import mentions
from ._kept import RUN_ON

_HELP = f"compile with model.compile(), which keeps the names, or take the module inside: compiled.{WRAPPED}"

_SAVES = ("torch.save", "safetensors.torch.save_file")
_CHANGING = (
    WRAPPED, "consume_prefix_in_state_dict", "removeprefix(", ".replace(", "startswith(", "[len(",
)  # fmt: skip
"""What code is written with that gives weights other names."""


_MADE = re.compile(r"constant|lifted|frozen")
"""What torch calls the tensors that are no weights of the model."""


class CompiledNames(Rule):
    """Weights are given by name, and the other side has other names: with `_orig_mod.`, of a module, or renamed.

    What happens:
        `load_constants` raises `RuntimeError: Constant not found: fc.bias`, and `load_state_dict` raises `Missing
        key(s) in state_dict: "_orig_mod.fc.weight"`. With `strict=False` it loads nothing and says nothing. Of a whole
        checkpoint, `{"model": …, "epoch": 3}`, `load_constants` says `incompatible function arguments`.

    Why:
        `torch.compile(model)` is a module that holds the model as `_orig_mod`, and the names of all weights begin with
        that. So do those of a program that is exported of it, and of its package. A compiled module inside a model
        (`model.encoder = torch.compile(model.encoder)`) gives names such as `encoder._orig_mod.weight`. What was
        trained inside of another module (`self.encoder = Encoder()`) has `encoder.` before all its names, and alone
        it has not. A package takes the names that the exported model has, and no other: not those of
        `{f"model.{k}": v for k, v in weights.items()}`.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = torch.nn.Linear(64, 64)

            def forward(self, x):
                return self.fc(x)

        x = torch.randn(2, 64)
        program = torch.export.export(torch.compile(Net()), (x,))
        run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program))
        run.load_constants(Net().state_dict(), check_full_update=True)  # <- AOTI708

    Bad:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = torch.nn.Linear(64, 64)

            def forward(self, x):
                return self.fc(x)

        model = Net()
        program = torch.export.export(model, (torch.randn(2, 64),))
        run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program))
        weights = {name.replace(".", "_"): weight for name, weight in model.state_dict().items()}
        run.load_constants(weights, check_full_update=True)  # <- AOTI708

    Good:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = torch.nn.Linear(64, 64)

            def forward(self, x):
                return self.fc(x)

        x = torch.randn(2, 64)
        compiled = torch.compile(Net())
        program = torch.export.export(compiled._orig_mod, (x,))
        run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program))
        run.load_constants(Net().state_dict(), check_full_update=True)

    How to debug:
        `list(program.state_dict)` and `run.get_constant_fqns()` show the names. With `--pedantic` every export of a
        compiled model is listed.

    Sources:
        Run on torch 2.13, strict and not: models and modules inside them. `model.compile()`, a compiled `forward`, and
        `torch.compile(model, disable=True)` keep the names.
    """

    code = "AOTI708"
    name = "compiled-names"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        told: set[Span] = set()
        for event in facts.of(WeightsGiven):
            finding = self._given(facts, event, told)
            if finding is not None:
                yield finding
        for export in facts.of(ExportEvent):
            program = export.program
            if isinstance(program, Program) and program.span not in told and _wrapped(export, program):
                told.add(program.span)
                yield self.found(
                    facts,
                    export,
                    Confidence.POSSIBLE,
                    f"the names of the weights of this program have {WRAPPED} in them",
                    outcome=Outcome.UNCHECKED,
                    label="a compiled model is exported",
                    help=_HELP,
                )

    def _given(self, facts: Facts, event: WeightsGiven, told: set[Span]) -> Diagnostic | None:
        loads_some = event.strict != NONE and not isinstance(event.taker, Loaded)
        if catches(event.caught | event.expected, "RuntimeError", "KeyError"):
            return None
        versions, exported = event.versions, None
        weights, most = event.given, Confidence.CERTAIN
        if isinstance(weights, Checkpoint):
            weights, most = _saved(facts, event, weights)
        # With strict=False a module may well be given others; what an archive says is AOTI218's.
        loaded = event.taker if isinstance(event.taker, Loaded) else None
        all_of = loaded is not None and archive_of(facts, loaded.file, event) is None
        differ = partial(_differ, all_of)
        if event.names != NONE:
            verdict = judge([weights, event.names], event.path, differ)
            sure, case = verdict if verdict is not None else (None, [])
        else:
            made = programs_of(facts, event.taker, event)
            names = [one.value.names if isinstance(one.value, Program) else NONE for one in made]
            verdicts = [judge([weights, one], {**event.path}, differ) for one in names]
            sure = overall(made, [v[0] if v is not None else None for v in verdicts], event)
            case = next((v[1] for v in verdicts if v is not None), [])
            exported = next((one.value.span for one in made if isinstance(one.value, Program)), None)
            versions &= RUN_ON
        if sure is None or not case or not versions:
            return None
        given, own = case
        assert isinstance(own, Names)
        assert isinstance(given, Names | Pairs)
        said = _said(given, own, all_of)
        if exported is not None:
            told.add(exported)
        api = "load_constants" if isinstance(event.taker, Loaded) else "load_state_dict"
        silent = loads_some and event.strict == FALSE
        what = "they are not loaded, and nothing says so" if silent else f"{api} raises"
        compiled = own.span if own.span is not None else given.span if isinstance(given, Names) else None
        return self.found(
            facts,
            event,
            weaker(sure, most),
            f"{said}: {what}",
            failing=versions,
            outcome=Outcome.SILENTLY_WRONG if silent else Outcome.RAISES,
            label="weights of other names",
            related=(
                *((Related(compiled, "compiled here"),) if compiled is not None else ()),
                *((Related(exported, "exported here"),) if exported is not None else ()),
            ),
            help=_help(given, own),
            symptom="wrong-result" if silent else "load-error",
        )


def _saved(facts: Facts, event: WeightsGiven, loaded: Checkpoint) -> tuple[Value, Confidence]:
    """The names in a checkpoint that is loaded, as what saves the file says, or `NONE`, and how sure that is."""
    saving = [
        (one.names, link) for one in writers_of(facts, FileEvent, loaded.file)
        if one.api in _SAVES and (link := link_between(loaded.file, event, one.file, one)) is not None
    ]  # fmt: skip
    # Code that takes a prefix off, or puts one on, may have changed what was loaded.
    if not saving or mentions(facts, event, *_CHANGING):
        return NONE, Confidence.POSSIBLE
    found = {names if loaded.entry is None else _entry(names, loaded.entry) for names, _ in saving}
    return found.pop() if len(found) == 1 else NONE, weaker(*(link for _, link in saving))


def _entry(names: Value, name: str) -> Value:
    return dict(names.pairs).get(Const(name), NONE) if isinstance(names, Pairs) else NONE


def _wrapped(event: ExportEvent, program: Program) -> bool:
    return judge([program.names], event.path, lambda v: isinstance(v[0], Names) and v[0].span is not None) is not None


def _differ(all_of: bool, values: list[Value]) -> bool | None:
    """Whether weights of the first names do not fit those of the second."""
    given, own = values
    if not isinstance(own, Names) or not isinstance(given, Names | Pairs):
        return None
    return bool(_said(given, own, all_of))


def _said(given: Names | Pairs, own: Names, all_of: bool) -> str:
    """How the names differ, as a sentence; empty if they do not. `all_of`: none may be given that it has not."""
    said = _said_of_modules(given, own)
    strange = _strange(given, own) if all_of and not said else []
    return f"it has no weight {' and no '.join(strange[:2])}" if strange else said


def _strange(given: Names | Pairs, own: Names) -> list[str]:
    """The names that are given, and that the model surely has not."""
    names = given.whole if isinstance(given, Names) else [key.value for key, _ in given.pairs if isinstance(key, Const)]
    if own.whole is None:
        return []
    known = {*own.whole, *own.beside}
    return [name for name in names or () if isinstance(name, str) and name not in known and not _MADE.search(name)]


def _said_of_modules(given: Names | Pairs, own: Names) -> str:
    """How the names of whole modules differ."""
    if isinstance(given, Names):
        flags = dict(given.compiled)
        path = next((path for path, flag in own.compiled if flags.get(path, flag) != flag), None)
        if path is None:
            prefix, has = _around(given, own)
            if not prefix:
                return ""
            begins = f"the names of these weights begin with {prefix}., and it wants names without it"
            return (
                begins if has else f"it wants names that begin with {prefix}., and these weights have names without it"
            )
        first, second = given.prefix(path), own.prefix(path)
        if flags[path]:
            return f"the names of these weights begin with {first}, and it wants {second or 'names without it'}"
        return f"it wants names that begin with {second}, and these weights have {first or 'names without it'}"
    entry = _entry_with_weights(given)
    if entry:
        return f"the weights are in the entry {entry!r} of what it is given"
    keys = [key.value for key, _ in given.pairs if isinstance(key, Const)]
    for path, flag in own.compiled:
        wanted = own.prefix(path)
        plain = wanted.removesuffix(f"{WRAPPED}.") if flag else wanted
        for key in keys:
            if isinstance(key, str) and key.startswith(plain) and key.startswith(f"{plain}{WRAPPED}.") != flag:
                return f"it has no weight {key}: its names {'begin with ' + wanted if flag else f'have no {WRAPPED}'}"
    return ""


def _entry_with_weights(given: Names | Pairs) -> str:
    """The entry of a checkpoint that holds the weights; empty where it holds them itself."""
    if isinstance(given, Names):
        return ""
    return next((str(key.value) for key, one in given.pairs if isinstance(one, Names) and isinstance(key, Const)), "")


def _around(given: Names, own: Names) -> tuple[str, bool]:
    """The path of a module that all names of one side begin with, and those of the other do not; which side has it.

    Empty where some names are the same, or others differ in more.
    """
    theirs, ours = _innermost(given), _innermost(own)
    for inner, outer, has in ((ours, theirs, True), (theirs, ours, False)):
        first = min(inner, default="")
        ends = [path.removesuffix(f".{first}") for path in outer if first and path.endswith(f".{first}")]
        if len(ends) == 1 and not inner & outer and all(f"{ends[0]}.{path}" in outer for path in inner):
            return ends[0], has
    return "", False


def _innermost(names: Names) -> set[str]:
    """The modules with weights in which there are no others that have some."""
    paths = {path for path, _ in names.compiled}
    return {path for path in paths if not any(other.startswith(f"{path}." if path else "") for other in paths - {path})}


def _help(given: Names | Pairs, own: Names) -> str:
    entry = _entry_with_weights(given)
    if entry:
        return f"give it checkpoint[{entry!r}]"
    prefix, has = _around(given, own) if isinstance(given, Names) else ("", False)
    if not prefix and not _said_of_modules(given, own):
        names = ", ".join([*(own.whole or ())[:4], *(["…"] if len(own.whole or ()) > 4 else [])])
        listed = "give its weights the names that get_constant_fqns() of the loaded package lists"
        return f"{listed}; those of the model: {names}"
    if not prefix:
        return _HELP
    name = f'name.removeprefix("{prefix}.")' if has else f'f"{prefix}.{{name}}"'
    return f"give it {{{name}: weight for name, weight in weights.items()}}"
