"""Programs and packages are compiled, saved, loaded and called."""

from __future__ import annotations

from typing import Literal

from aoti_lint.diagnostics import Span
from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.torch_api.versions import VersionSet
from aoti_lint.values.events.event import Event
from aoti_lint.values.events.forwards import DtypeMix
from aoti_lint.values.torch_values import FileName, OnnxModel, Package, Program
from aoti_lint.values.values import NONE, Const, Obj, Value

CHECKS = VersionSet.since("2.7")
"""Releases whose packages read AOTI_RUNTIME_CHECK_INPUTS."""


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class CompileEvent(Event):
    """A program is compiled into a package or shared library."""

    package: Value


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class PathUse(Event):
    """What a compile gives, which is a path, is used as if it were the model: it is `called`, or `unpacked`.

    An exported program, and what `torch._dynamo.explain` gives, are told of where they are `unpacked`.
    """

    package: Package | Program | Obj
    used: Literal["called", "unpacked"]


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class AttributeUse(Event):
    """An attribute of what an export or a load gives is read, or bound, that it may not have.

    `of` is an exported program, the module of one, or a loaded package; or something whose attribute an export read.
    Of a part of such a module, which is "called" or asked for an "item" as well, `name` is the path from the module.
    That one is bound anew after the export, or the tensor it is is "changed" in place, or (`read`) a method reads it
    for the first time since; `given` are the keys of the tensors that this method, and those that called it, hold.
    """

    of: Value
    name: str
    used: Literal["read", "bound", "changed", "called", "item"]
    given: frozenset[str] = frozenset()


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class OutputUse(Event):
    """What a call of `of` gave is taken apart: `unpacked` into `key` names, or its `item` or `attribute` `key` is read.

    `of` is a loaded package, the module of an exported program, or a program for ONNX. `flat`: it is a row of all the
    tensors that was given, as C++ has them.
    """

    of: Value
    used: Literal["unpacked", "item", "attribute"]
    key: Value
    flat: bool = False


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class LoadEvent(Event):
    """A package or the library of a compiled model is loaded."""

    loaded: Value


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class Calling(Event):
    """`target` (`Loaded`, `ProgramModule` …) is called. `open` says that there may be more arguments than listed.

    `checked` is whether `AOTI_RUNTIME_CHECK_INPUTS` is set by then, as far as the script says. `autocasts` are those
    around the call, the outermost first. `flat`: what is given are the tensors among the inputs, in one row. `dtypes`
    are the operations of the forward that cannot mix the dtypes of what the module of a program is given. `inferring`:
    autograd is surely off.
    """

    target: Value
    args: tuple[Value, ...]
    kwargs: dict[str, Value]
    arg_spans: tuple[Span, ...]
    open: bool
    checked: Value | None = None
    autocasts: tuple[Value, ...] = ()
    flat: bool = False
    dtypes: tuple[DtypeMix, ...] = ()
    inferring: bool = False

    @property
    def is_checked(self) -> bool | None:
        """Whether a package checks what it is given here; None where that is not known.

        Any text that does not begin with 0 turns it on, from 2.7 on (releases 2.6.0 and 2.7.1,
        `_inductor/codegen/cpp_wrapper_cpu.py`).
        """
        value = self.checked
        if value in (None, Const("")) or not self.versions & CHECKS:
            return False
        if not isinstance(value, Const):
            return None
        return isinstance(value.value, str) and value.value[:1] not in ("", "0")


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class CallEvent(Calling):
    """A model is called in Python."""


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class UnflattenedCall(Calling):
    """What `torch.export.unflatten` gave is called; `target` is the module that the program itself gives.

    It checks the number, sizes and constants of its inputs as that does, and no guards.
    """


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class HostCall(Calling):
    """C++ runs a package that it loads, with tensors of which the text says the dtype, the device or sizes."""


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class OnnxCall(Event):
    """A model for ONNX is run: what is given by position, and by the name of a parameter.

    `fed`: a session is given a dict of its inputs by their names, which are in `given`.
    """

    model: OnnxModel
    args: tuple[Value, ...]
    given: dict[str, Value]
    fed: bool


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class WeightsGiven(Event):
    """`load_constants` of a loaded model, or `load_state_dict`: `taker` is given weights by name.

    `given` are the names as `weight_names` has them, or the entries of a dict. `names` are those of the taker,
    where it is a module; `strict` is whether it asks for all of them, `assign` whether they take the place of its own
    instead of being copied into these.
    """

    given: Value
    taker: Value
    names: Value
    strict: Value
    assign: Value


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class SaveEvent(Event):
    """`torch.export.save`; `extra` are its `extra_files`."""

    program: Value
    file: FileName
    extra: Value = NONE


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class ExtraEvent(Event):
    """`torch.export.load` is asked for the extra files that `wanted`, a dict, names."""

    file: FileName
    wanted: Value


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class FileEvent(Event):
    """A file is read or written by `api`: `load` or `save` of `torch` or `torch.jit`, or those of `safetensors.torch`.

    `names` are those of the weights that are written (see `weight_names`), or `Pairs` of them where they
    are entries of a dict. `pickled` is the class of a whole model that is written, by itself or as an entry of a dict.
    `weights_only` is what `torch.load` is given, NONE where it is given nothing.
    """

    api: str
    file: FileName
    names: Value = NONE
    pickled: str = ""
    weights_only: Value = NONE


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class PackEvent(Event):
    """Compiled models are put into one package: `models` has a dict of their names, or what else was given."""

    models: Value
    file: FileName


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class HostLoad(Event):
    """C++ loads the package, or the library of a compiled model, at the path `file`.

    `alone`: it is a program, in whose process there is no Python; then `sources` are all the files of the project that
    it is built of, None where they are not all known. `device` is the type of device that the runner of a library is
    for, empty for packages; `index` is the `device_index` that is given, where it is a number. `model` is the name of
    the model in a package that is asked for, None where it is not known.
    """

    file: str
    alone: bool
    sources: tuple[str, ...] | None
    device: str
    index: int | None
    model: str | None
