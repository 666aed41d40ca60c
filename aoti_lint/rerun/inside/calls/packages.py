"""Export, compile, load and call, as they are noted; packages go into the folder of the rerun."""

from __future__ import annotations

import os
import sys
import time
import weakref
from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

from .. import places
from ..events import Events
from ..exported.beside import Beside
from ..files.paths import Paths
from ..files.saved import Saved
from ..wrapping import Around, disguised, unnoted, wrap
from . import tensors
from .changed import Changed, Loading
from .lowering import Lower, Settings

LARGEST = 512 << 20
"""Bytes of weights up to which an exported program is saved beside its package."""

running = 0
"""Calls of packages that are being run in this process."""


class Packages:
    """The functions to be run when modules of torch have been imported: `inductor(torch._inductor)` and so on."""

    def __init__(
        self, events: Events, paths: Paths, settings: dict[str, Any], saved: Saved, beside: Beside | None = None
    ) -> None:
        self._events, self._paths, self._settings = events, paths, settings
        self._changed = Changed(events)
        self._around = saved, beside, self._changed
        self._beside = beside
        self._models: weakref.WeakKeyDictionary[Any, dict[str, Any]] = weakref.WeakKeyDictionary()

    def _wrap(self, owner: Any, name: str, make: partial[Any], outermost: str = "") -> None:
        """Nothing is done to a function that has no argument with the name of the path: 2.5 has other ones."""
        word = make.args[4] if issubclass(make.func, _Path) else ""  # type: ignore[arg-type]
        original = getattr(owner, name, None)
        # Not imported by most programs, and slow.
        import inspect

        if original is not None and (not word or word in inspect.signature(original).parameters):
            wrap(owner, name, make, self._events, outermost)

    def export(self, module: Any) -> None:
        """`torch.export`"""
        self._wrap(module, "export", partial(Noted, self._events, "export"), "export")
        self._wrap(module, "draft_export", partial(Noted, self._events, "export"), "export")
        self._wrap(module, "save", partial(_Write, self._events, self._paths, "save", 1, "f"), "write")
        self._wrap(module, "load", partial(_Load, self._events, self._paths, "program", 0, "f"), "load")

    def inductor(self, module: Any) -> None:
        """`torch._inductor`"""
        make = partial(_Compile, self._events, self._paths, "compile", None, "package_path", self._changed)
        self._wrap(module, "aoti_compile_and_package", make, "write")
        self._wrap(module, "aot_compile", partial(Noted, self._events, "lower"), "lower")

    def package(self, module: Any) -> None:
        """`torch._inductor.package.package` (since 2.5) and `torch.export.pt2_archive._package` (since 2.8)"""
        for name, word in (("package_aoti", "archive_file"), ("package_pt2", "f")):
            self._wrap(module, name, partial(_Write, self._events, self._paths, "package", 0, word), "write")
        for name, word in (("load_package", "path"), ("load_pt2", "f")):
            make = partial(_Load, self._events, self._paths, "package", 0, word, self._loaded)
            self._wrap(module, name, make, "load")
        model = getattr(module, "AOTICompiledModel", None)
        if model is not None and model.__module__ == module.__name__:
            self._wrap(model, "__call__", partial(_Call, self._events, self._models, None, *self._around))
            self._wrap(model, "load_constants", partial(_Weights, self._events, self._models, self._beside))

    def loader(self, module: Any) -> None:
        """`torch`: `torch._C._aoti.AOTIModelPackageLoader`, which programs may use themselves."""
        kind = getattr(getattr(getattr(module, "_C", None), "_aoti", None), "AOTIModelPackageLoader", None)
        if kind is None:
            return
        make = partial(_Open, self._events, self._paths, "package", 1, "", self._loaded)
        wrap(kind, "__init__", make, self._events, "load")
        for name in ("run", "boxed_run"):
            wrap(kind, name, partial(_Run, self._events, self._models, None, *self._around), self._events)

    def modules(self, module: Any) -> None:
        """`torch.nn.modules.module`"""
        self._wrap(module.Module, "load_state_dict", partial(Loading, self._events, self._changed), "load_state_dict")

    def old(self, module: Any) -> None:
        """`torch._export`"""
        make = partial(_Load, self._events, self._paths, "so", 0, "so_path", self._old_loaded)
        self._wrap(module, "aot_load", make)

    def compile_fx(self, module: Any) -> None:
        """`torch._inductor.compile_fx`: every way into the compiler ends here."""
        self._wrap(module, "compile_fx_aot", partial(Lower, self._events, self._paths, self._settings))
        if self._settings:
            self._wrap(module, "compile_fx", partial(Settings, self._events, self._settings))

    def _loaded(self, model: Any, facts: dict[str, Any]) -> Any:
        if isinstance(model, FunctionType):
            # 2.5
            return self._old_loaded(model, facts)
        runners = getattr(model, "aoti_runners", None)
        for each in runners.values() if isinstance(runners, dict) else [model]:
            self._models[each] = facts
        return model

    def _old_loaded(self, model: Any, facts: dict[str, Any]) -> Any:
        """`aot_load` gives a function."""

        def called(*args: Any, **kwargs: Any) -> Any:
            return model(*args, **kwargs)

        class Holder:
            pass

        called = disguised(called, model)
        self._models[called] = facts
        holder: Any = Holder()
        holder.call = called
        wrap(holder, "call", partial(_Call, self._events, self._models, called, *self._around), self._events)
        return holder.call


class Noted(Around):
    """Notes that a call begins, and that it ended or raised."""

    def __init__(self, events: Events, what: str) -> None:
        super().__init__(events)
        self._what, self._number, self._start = what, 0, 0.0

    def begin(self, **fields: Any) -> None:
        self._start = time.monotonic()
        self._number = self.events.write(self._what, place=places.here(), **fields)

    def ended(self, **fields: Any) -> None:
        seconds = round(time.monotonic() - self._start, 6)
        self.events.write("returned", of=self._number, what=self._what, seconds=seconds, **fields)

    def before(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        self.begin()
        return args, kwargs

    def after(self, result: Any) -> Any:
        self.ended()
        return result

    def failed(self, error: BaseException) -> None:
        seconds = round(time.monotonic() - self._start, 6)
        place = places.of_error(error) or places.here()
        self.events.raised(self._what, self._number, error, seconds=seconds, place=place)


class _Path(Noted):
    """One of the arguments is a path: the one at `index`, or with the name `word`."""

    def __init__(self, events: Events, paths: Paths, what: str, index: int | None, word: str) -> None:
        super().__init__(events, what)
        self._paths, self._index, self._word = paths, index, word
        self.asked: str | None = None
        self._given: Any = None
        self.made: str | None = None

    def _path(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self._word in kwargs:
            self._given = kwargs[self._word]
        elif self._index is not None and len(args) > self._index:
            self._given = args[self._index]
        if isinstance(self._given, (str, os.PathLike)):
            self.asked = os.path.abspath(os.fspath(self._given))
        return self.asked

    def _put(self, args: tuple[Any, ...], kwargs: dict[str, Any], made: str) -> Any:
        # Some versions take strings only: they shall refuse what they would have refused.
        pathlib = sys.modules.get("pathlib")
        path = pathlib.Path(made) if pathlib is not None and isinstance(self._given, pathlib.PurePath) else made
        if self._word in kwargs:
            return args, {**kwargs, self._word: path}
        assert self._index is not None
        return (*args[: self._index], path, *args[self._index + 1 :]), kwargs


class _Write(_Path):
    def before(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        if self._path(args, kwargs) is None:
            self.begin(asked=None, made=None)
        elif self._paths.ours(self.asked) or not self._paths.may_write(self.asked):
            self.begin(asked=self.asked, made=self.asked)
        else:
            self.made = self._paths.make(self.asked)
            args, kwargs = self._put(args, kwargs, self.made)
            self.begin(asked=self.asked, made=self.made)
        return args, kwargs

    def after(self, result: Any) -> Any:
        if self.made is not None:
            self._paths.register(self.asked, self.made)
        files = [str(each) for each in result if isinstance(each, str)] if isinstance(result, list) else None
        path = os.fspath(result) if isinstance(result, (str, os.PathLike)) else None
        self.ended(made=self.made or path or self.asked, files=files)
        return self._given if path is not None and path == self.made else result


class _Compile(_Write):
    """Saves the exported program first: a crash in the compiler leaves it behind."""

    def __init__(self, events: Events, paths: Paths, what: str, index: int | None, word: str, changed: Changed) -> None:
        super().__init__(events, paths, what, index, word)
        self._changed = changed

    def before(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        args, kwargs = super().before(args, kwargs)
        program = self._program = args[0] if args else kwargs.get("exported_program")
        try:
            path = self._paths.program(self.made, self._number)
            if isinstance(getattr(program, "state_dict", None), dict) and _bytes(program) <= LARGEST:
                with unnoted("write"):
                    sys.modules["torch"].export.save(program, path)
                self._paths.latest = path
                self.events.write("saved", of=self._number, path=path)
        except Exception as error:
            self.events.note("cannot save the exported program", error)
        return args, kwargs

    def after(self, result: Any) -> Any:
        path = os.path.abspath(os.fspath(result)) if isinstance(result, (str, os.PathLike)) else None
        self._changed.compiled(self.made or path, self._program)
        return super().after(result)


def _bytes(program: Any) -> int:
    values = [*program.state_dict.values(), *getattr(program, "constants", {}).values()]
    return sum(value.numel() * value.element_size() for value in values if hasattr(value, "element_size"))


class _Load(_Path):
    """`loaded` is told what came of it, with the facts that calls of it are noted with."""

    def __init__(
        self, events: Events, paths: Paths, kind: str, index: int, word: str,
        loaded: Callable[[Any, dict[str, Any]], Any] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(events, paths, "load", index, word)
        self._kind, self._tell = kind, loaded

    def before(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        used = asked = self._path(args, kwargs)
        ours = False
        if asked is not None:
            ours = self._paths.ours(asked)
            self.made = None if ours else self._paths.use(asked)
            if self.made is not None:
                args, kwargs = self._put(args, kwargs, self.made)
                used = self.made
        self.begin(kind=self._kind, asked=asked, used=used, rerun=ours or self.made is not None)
        return args, kwargs

    def after(self, result: Any) -> Any:
        self.ended()
        facts = {"load": self._number, "package": self.made or self.asked}
        return self._tell(result, facts) if self._tell is not None else result


class _Open(_Load):
    """What is loaded is the object itself."""

    def before(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        self._self = args[0]
        return super().before(args, kwargs)

    def after(self, result: Any) -> Any:
        super().after(self._self)
        return result


class _Call(Noted):
    def __init__(
        self, events: Events, models: Any, model: Any, saved: Saved, beside: Beside | None, changed: Changed
    ) -> None:
        super().__init__(events, "call")
        self._changed = changed
        self._models, self._model, self._saved, self._beside = models, model, saved, beside
        self._package: Any = None
        self._wanted: Any = None

    def before(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        global running
        running += 1
        given = args if self._model is not None else args[1:]
        facts = self._models.get(self._model if self._model is not None else args[0]) or {}
        self._package = facts.get("package")
        self.begin(inputs=tensors.judge([given, kwargs]), **facts)
        self._changed.called(self._package)
        self._saved.begin()
        if self._beside is not None:
            self._wanted = self._beside.run(
                self._package, given, kwargs, flat=isinstance(self, _Run), call=self._number
            )
        return args, kwargs

    def after(self, result: Any) -> Any:
        global running
        running -= 1
        outputs = tensors.judge(result)
        self.ended(outputs=outputs)
        self._saved.end(self._package, outputs)
        if self._beside is not None and self._wanted is not None:
            self._beside.compare(self._wanted, result)
        return result

    def failed(self, error: BaseException) -> None:
        global running
        running -= 1
        super().failed(error)


class _Weights(Around):
    """The user gives a package other weights: it is no longer what its program is."""

    def __init__(self, events: Events, models: Any, beside: Beside | None) -> None:
        super().__init__(events)
        self._models, self._beside = models, beside

    def before(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        facts = self._models.get(args[0]) or {}
        if self._beside is not None and facts.get("package"):
            self._beside.leave(facts["package"])
            self.events.note("the package was given other weights: it is not compared with its program")
        return args, kwargs


class _Run(_Call):
    """A call with all tensors in one list, of a loader that the program opened itself; torch's own are noted before."""

    def before(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        self._mine = args[0] in self._models
        if not self._mine:
            return args, kwargs
        # boxed_run takes the tensors out of the list.
        super().before((args[0], *args[1]), {})
        return args, kwargs

    def after(self, result: Any) -> Any:
        return super().after(result) if self._mine else result

    def failed(self, error: BaseException) -> None:
        if self._mine:
            super().failed(error)
