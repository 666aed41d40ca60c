"""What was known where a program is exported, compiled, packaged, loaded or called, in one event."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from aoti_lint.coverage import words
from aoti_lint.coverage.words import Aspect, known, lost, reason
from aoti_lint.diagnostics import Span
from aoti_lint.linking.archives import Link, called_archive, loaded_archive
from aoti_lint.linking.artefacts import Candidate, compiled_for, packages_for, packages_of, programs_of
from aoti_lint.machine.facts import Facts
from aoti_lint.values.choices import leaves
from aoti_lint.values.events.api import ApiCall
from aoti_lint.values.events.event import Event
from aoti_lint.values.events.exports import Exporting
from aoti_lint.values.events.packages import Calling, CompileEvent, HostLoad, LoadEvent, PackEvent, SaveEvent
from aoti_lint.values.torch_values import Device, Loaded, LoadedProgram, Package, Program, ProgramModule
from aoti_lint.values.values import NONE, Bound, Class, Const, Func, Obj, Pairs, Partial, Ref, Tup, Value

Place: TypeAlias = Callable[[Span], str]
"""How a place is named to the user."""
SETTINGS = ("inductor_configs", "options")
"""The arguments that take settings of the compiler."""


def of_export(facts: Facts, event: Exporting, place: Place) -> Iterator[Aspect]:
    program = event.program
    if not isinstance(program, Program):
        return
    model = _model(program, event)
    yield model
    yield _forward(event, place, model)
    yield words.inputs("inputs", Tup((program.args, program.kwargs)) if program.kwargs != NONE else program.args,
                       event.path)  # fmt: skip
    yield words.device("device", program.device, event.path)
    yield words.dims("dims", program.spec, event.path, bool(program.marks))


def _model(program: Program, event: Event) -> Aspect:
    names = []
    for _, leaf in leaves(program.model, event.path):
        match leaf:
            case Obj(cls=Class() as cls) if program.parameters is None:
                return lost("model", f"the forward of {cls.qualname} is not known")
            case Obj(cls=Class() as cls):
                names.append(cls.qualname)
            case Obj(cls=Ref(name)) if name.startswith("torch."):
                names.append(name)
            case Func() | Bound(func=Func()) | Partial(func=Func()):
                func = leaf if isinstance(leaf, Func) else leaf.func
                names.append(func.qualname if isinstance(func, Func) else "")
            case Bound(receiver=Obj(cls=Class() as cls), name=name):
                names.append(f"{cls.qualname}.{name}")
            case ProgramModule():
                names.append("the module of an exported program")
            case Program() | Class() | Const():
                names.append("no model")
            case Ref(name) if name.startswith("torch."):
                names.append(name)
            case Ref(name):
                return lost("model", f"{name} is of another package")
            case Obj(cls=Ref(name)):
                return lost("model", f"{name} is of another package")
            case _:
                return lost("model", reason(leaf))
    if program.handed:
        return lost("model", "it was given to code that is not followed, which may have changed it")
    return known("model", " or ".join(dict.fromkeys(names)))


def _forward(event: Exporting, place: Place, model: Aspect) -> Aspect:
    """Whether all was followed that the forward does with the example inputs."""
    if not model.known:
        return lost("forward", "the model is not known")
    if event.unended:
        return lost("forward", "there is too much code to check to its end")
    if event.lost_in_forward:
        span, why = event.lost_in_forward[0]
        more = len(event.lost_in_forward) - 1
        return lost("forward", f"{why} ({place(span)}){f', and {more} more' if more else ''}")
    return known("forward", "followed")


def of_compile(facts: Facts, event: CompileEvent, place: Place, call: ApiCall | None) -> Iterator[Aspect]:
    package = event.package
    if not isinstance(package, Package):
        return
    yield _program(facts, programs_of(facts, package, event), None, place)
    yield words.device("device", compiled_for(facts, package, event), event.path)
    yield words.file("file", package.file, event.path, "none is given: torch chooses it")
    yield _settings(event, call)


def _settings(event: CompileEvent, call: ApiCall | None) -> Aspect:
    if call is None or call.open:
        return lost("settings", "the arguments are not all known")
    given = next((call.kwargs[name] for name in SETTINGS if name in call.kwargs), NONE)
    missing = words.unknown_in(given, event.path)
    if missing is not None:
        return lost("settings", reason(missing))
    held = [leaf for _, leaf in leaves(given, event.path)]
    if not all(isinstance(leaf, Pairs) or leaf == NONE for leaf in held):
        return lost("settings", "what is in them is not known")
    pairs = [pair for leaf in held if isinstance(leaf, Pairs) for pair in leaf.pairs]
    said = (f"{words.words(key)}={words.words(value)}" for key, value in pairs)
    return known("settings", ", ".join(dict.fromkeys(said)) or "none")


def of_package(facts: Facts, event: PackEvent | SaveEvent, place: Place) -> Iterator[Aspect]:
    content = event.models if isinstance(event, PackEvent) else event.program
    missing = words.unknown_in(content, event.path)
    if missing is not None:
        yield lost("content", reason(missing))
    else:
        held = [one for one in words.parts(content, event.path) if isinstance(one, Program | Package)]
        where = ", ".join(dict.fromkeys(place(one.span) for one in held))
        yield known("content", f"made at {where}") if held else lost("content", "what makes it was not followed")
    yield words.file("file", event.file, event.path, "none is given")


def of_load(facts: Facts, event: LoadEvent, place: Place) -> Iterator[Aspect]:
    loaded = event.loaded
    if not isinstance(loaded, Loaded | LoadedProgram):
        return
    yield words.file("file", loaded.file, event.path, "none is given")
    link = loaded_archive(facts, event, loaded)
    made = packages_of(facts, loaded, event) if isinstance(loaded, Loaded) else programs_of(facts, loaded, event)
    yield _maker(made, link, place, words.words(loaded.file.given))
    given = loaded.device if isinstance(loaded, Loaded) else None
    yield _device(facts, event, made, link, given)


def of_host(facts: Facts, event: HostLoad, place: Place) -> Iterator[Aspect]:
    """A package, or the library of a model, that C++ loads."""
    made = packages_for(facts, event)
    yield known("file", event.file)
    yield _maker(made, None, place, event.file)
    yield _device(facts, event, made, None, Device(event.device) if event.device else None)


def _device(facts: Facts, event: Event, made: list[Candidate], link: Link | None, given: Value | None) -> Aspect:
    """The device that a load says, or else that of what is loaded."""
    devices = [_device_of(facts, one.value, event) for one in made] if given is None else [given]
    found = [words.device("device", device, event.path) for device in devices]
    missing = next((one for one in found if not one.known), None)
    if missing is not None or found:
        return missing or known("device", " or ".join(dict.fromkeys(one.text for one in found)))
    return known("device", "that of the archive") if link is not None else lost("device", "its maker is not known")


def _device_of(facts: Facts, made: Value, event: Event) -> Value:
    if isinstance(made, Package):
        return compiled_for(facts, made, event)
    return made.device if isinstance(made, Program) else made


def _maker(made: list[Candidate], link: Link | None, place: Place, name: str) -> Aspect:
    if link is not None:
        return known("maker", f"the archive {link.archive.path}")
    for one in made:
        if not isinstance(one.value, Package | Program):
            return lost("maker", reason(one.value))
    if not made:
        return lost("maker", f"nothing that was followed writes {name}")
    where = (place(one.value.span) for one in made if isinstance(one.value, Package | Program))
    return known("maker", " or ".join(dict.fromkeys(where)))


def of_program_load(facts: Facts, call: ApiCall, place: Place) -> Iterator[Aspect]:
    """`torch.export.load` of a file that the same run has written, which gives the program itself."""
    given = call.arg(0, "f") or NONE
    saves = [one for one in facts.of(SaveEvent) if one.root == call.root and one.file.given == given]
    programs = [leaf for one in saves[-1:] for _, leaf in leaves(one.program, call.path)]
    if not all(isinstance(one, Program) for one in programs) or not programs:
        return
    yield known("file", words.words(given))
    yield known("maker", " or ".join(dict.fromkeys(place(one.span) for one in programs if isinstance(one, Program))))
    yield words.device("device", next(one.device for one in programs if isinstance(one, Program)), call.path)


def of_call(facts: Facts, event: Calling, place: Place) -> Iterator[Aspect]:
    candidates = programs_of(facts, event.target, event)
    link = called_archive(facts, event)
    program = _program(facts, candidates, link, place)
    if not candidates and link is None:
        given = event.target.file.given if isinstance(event.target, Loaded) else None
        named = f" of {given.value}" if isinstance(given, Const) else ""
        program = lost("program", f"no compile{named} was seen, so what is called is not known")
    yield program
    yield _examples(candidates, link, event) if program.known else lost("examples", "the program is not known")
    given = Tup((*event.args, *event.kwargs.values()))
    if event.open:
        yield lost("inputs", "the arguments are not all known")
        yield lost("device", "the arguments are not all known")
    else:
        yield words.inputs("inputs", given, event.path)
        yield words.devices_of("device", given, event.path)


def _program(facts: Facts, candidates: list[Candidate], link: Link | None, place: Place) -> Aspect:
    if link is not None:
        return known("program", f"the archive {link.archive.path}")
    places = []
    for one in candidates:
        if not isinstance(one.value, Program):
            return lost("program", reason(one.value) or "it is no exported program")
        places.append(place(one.value.span))
    if not places:
        return lost("program", "what makes it was not followed")
    return known("program", f"exported at {' or '.join(dict.fromkeys(places))}")


def _examples(candidates: list[Candidate], link: Link | None, event: Calling) -> Aspect:
    """The example inputs of what is called."""
    if link is not None:
        return known("examples", "those of the archive") if link.packages() else lost("examples", "not in the archive")
    found = []
    for one in candidates:
        program = one.value
        if isinstance(program, Program):
            kwargs = () if program.kwargs == NONE else (program.kwargs,)
            found.append(words.inputs("examples", Tup((program.args, *kwargs)), {**event.path, **one.path}))
    missing = next((one for one in found if not one.known), None)
    return missing or known("examples", " or ".join(dict.fromkeys(one.text for one in found)))
