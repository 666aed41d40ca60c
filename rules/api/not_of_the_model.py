"""AOTI225."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, VersionSet, catches, weaker
from aoti_lint.rule.events import AttributeUse
from aoti_lint.rule.links import overall, programs_of
from aoti_lint.rule.values import Loaded, LoadedProgram, Obj, Program, ProgramModule

OF_MODULES = frozenset({
    "eval", "train", "to", "cuda", "cpu", "half", "float", "double", "bfloat16", "forward", "load_state_dict",
    "modules", "named_modules", "children", "named_children", "requires_grad_", "zero_grad", "apply", "compile",
    "register_forward_hook", "register_forward_pre_hook",
})  # fmt: skip
"""Methods of modules that neither an exported program nor a loaded package has: `dir` of both on 2.13, and the classes
`ExportedProgram` (2.4.1, 2.6.0, 2.9.1) and `AOTICompiledModel` (2.6.0, 2.9.1) of other releases."""
OF_WEIGHTS = frozenset({"parameters", "named_parameters", "buffers", "named_buffers", "state_dict"})
"""What a program has, and a package has not."""
PACKAGES = ("torch._inductor.aoti_load_package", "torch._inductor.package.load_package")
HOOKS = frozenset({"register_forward_hook", "register_forward_pre_hook"})
RAISED = {"called": "NotImplementedError", "item": "TypeError"}
"""What it ends in to use a part of an exported module as what it was."""
OBJECTS = VersionSet.since("2.6")
"""Before, a package is loaded as a function."""


class NotOfTheModel(Rule):
    """A method or attribute of the model is asked of what was exported or compiled of it, which does not have it.

    What happens:
        `AttributeError: 'GraphModule' object has no attribute 'encode'`; of a package `'AOTICompiledModel' object has
        no attribute 'eval'`; of a program `'ExportedProgram' object has no attribute 'eval'`. To set an attribute that
        the forward reads raises nothing and changes nothing. `program.module().encoder(x)` raises `NotImplementedError:
        Module [Module] is missing the required "forward" function`, and `….layers[0]` `TypeError: 'Module' object is
        not subscriptable`.

    Why:
        Only the forward is exported. Its numbers are in the graph as they were at the export; other methods, and
        attributes that are no tensors, are left out. Parts of the model hold their weights and nothing else; those
        without weights are not there. A loaded package is no module: its mode, device and dtype were
        decided when it was compiled.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.encoder = torch.nn.Linear(8, 2)

            def encode(self, x):
                return self.encoder(x)

            def forward(self, x):
                return self.encode(x).relu()

        program = torch.export.export(Net(), (torch.randn(4, 8),))
        codes = program.module().encode(torch.randn(4, 8))  # <- AOTI225

    Good:
        import torch

        class Encoder(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.encoder = torch.nn.Linear(8, 2)

            def forward(self, x):
                return self.encoder(x)

        program = torch.export.export(Encoder(), (torch.randn(4, 8),))
        codes = program.module()(torch.randn(4, 8))

    How to debug:
        `print(program.module().code)` shows the forward, with all numbers that were put into it.

    Sources:
        Run on torch 2.13 (this project's tests): `strict=True` and without, saved and loaded again.
        https://docs.pytorch.org/docs/stable/export.html
    """

    code = "AOTI225"
    name = "not-of-the-model"
    outcome = Outcome.RAISES

    def on_attribute_use(self, facts: Facts, event: AttributeUse) -> Iterator[Diagnostic]:
        if catches(event.caught | event.expected, RAISED.get(event.used, "AttributeError")):
            return
        # Somebody asks first.
        if any(cond.key[0] == "hasattr" for cond in event.path):
            return
        if isinstance(event.of, ProgramModule):
            yield from self._of_a_module(facts, event, event.of)
        elif event.used == "read":
            yield from self._of_what_is_no_module(facts, event)

    def _of_what_is_no_module(self, facts: Facts, event: AttributeUse) -> Iterator[Diagnostic]:
        versions, name = event.versions, event.name
        if isinstance(event.of, Loaded):
            if event.of.api not in PACKAGES or name not in OF_MODULES | OF_WEIGHTS:
                return
            versions, what = versions & OBJECTS, "a loaded package"
            told = "call it as it is: mode, device and dtype were decided when it was compiled"
        elif isinstance(event.of, Program | LoadedProgram) and name in OF_MODULES:
            what, told = "an exported program", f"use program.module(), which has {name}()"
            if name in ("eval", "train"):
                told = "call model.eval() before the export, and leave this out"
        else:
            return
        if versions:
            place = event.of.span
            yield self.found(
                facts,
                event,
                Confidence.CERTAIN,
                f"{what} has no {name}: it raises",
                failing=versions,
                label="not there",
                related=(Related(place, "exported here" if isinstance(event.of, Program) else "loaded here"),),
                help=told,
            )

    def _of_a_module(self, facts: Facts, event: AttributeUse, module: ProgramModule) -> Iterator[Diagnostic]:
        made, name = programs_of(facts, module.program, event), event.name
        programs = [one.value for one in made if isinstance(one.value, Program)]
        if len(programs) < len(made) or not programs or any(one.handed for one in programs):
            return
        related = (Related(programs[0].span, "exported here"),)
        raising = event.used != "bound"
        owner, _, last = name.rpartition(".")
        hook = event.used == "called" and last in HOOKS
        if event.used in RAISED:
            name = owner if owner and (hook or last == "forward") else name
            known = [name in one.parts for one in programs]
        else:
            known = [name in one.lacks and (raising or _is_read(one, name)) for one in programs]
        sure = overall(made, [Confidence.CERTAIN if so else None for so in known], event)
        if sure is None:
            return
        if hook:
            yield self.found(
                facts,
                event,
                weaker(Confidence.LIKELY, sure),
                f"{name} of an exported program's module is never called, and no hook of it runs",
                severity=Severity.WARNING,
                outcome=Outcome.NO_EFFECT,
                label="never runs",
                related=related,
                help="register it on the model before the export, or use torch.export.unflatten(program)",
            )
        elif event.used in RAISED:
            how = "cannot be called" if event.used == "called" else "has no items"
            yield self.found(
                facts,
                event,
                sure,
                f"{name} of an exported program's module holds weights and nothing else, and {how}: it raises",
                label="only its weights are there",
                related=related,
                help="export this part for itself, or torch.export.unflatten(program), whose parts can be called"
                if event.used == "called"
                else f'name its parts: module.get_submodule("{name}.0")',
            )
        elif raising:
            yield self.found(
                facts,
                event,
                sure,
                f"the module of an exported program has no {name}: it raises",
                label="not there",
                related=related,
                help="only forward is exported: export a module whose forward does that, or keep the value beside it",
            )
        else:
            yield self.found(
                facts,
                event,
                Confidence.LIKELY,
                f"{name} is in the graph as it was at the export: to set it here changes nothing",
                outcome=Outcome.SILENTLY_WRONG,
                label="has no effect",
                related=related,
                help=f"give {name} to forward as an input, or set it before the export",
            )


def _is_read(program: Program, name: str) -> bool:
    """Whether the forward of a program reads this attribute of its model."""
    return isinstance(program.model, Obj) and (program.model.ident, name) in program.read
