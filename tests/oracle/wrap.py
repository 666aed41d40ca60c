"""Wraps the functions of torch that the linter has events for, so that a running script leaves records.

A record is `{"call", "path", "row", "column", "end_row", "end_column", "chain", "facts", "error"}`: the kind of call,
the place of the call in the user's file (1-based, columns in UTF-8 bytes, the innermost user frame), the places of
the user's calls that led there, what it was given, and the name of the exception it raised, or None. Records are
numbered by their place in `Recorder.records`; `facts` name other records by that number.
"""

from __future__ import annotations

import functools
import inspect
import io
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import torch
import torch._export
import torch._inductor
import torch._inductor.config
import torch._inductor.package
import torch.export
import torch.library

from tests.oracle import stubs
from tests.oracle.describe import Plain, describe, describe_module, describe_result, describe_shapes

Facts = dict[str, Plain]
COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")


class Recorder:
    """Collects the records of one script. `folder` holds the user's files; everything else is torch or ourselves."""

    def __init__(self, folder: Path, saved: Callable[[list[dict[str, Plain]]], None]) -> None:
        self.folder = str(folder.resolve())
        self.records: list[dict[str, Plain]] = []
        self.files = stubs.Files()
        self._saved = saved
        self._running = False
        self._exported: dict[int, tuple[Any, Any, int]] = {}

    # ------------------------------------------------------------ records

    def note(self, call: str, facts: Facts, frame: FrameType | None) -> int | None:
        """Add a record for the call that stands in `frame`; None when that is not a user frame."""
        if frame is None or self._running or not self._is_users(frame):
            return None
        self.records.append({"call": call, **self._place(frame), "facts": facts, "error": None})
        # saved at once: a script may abort the process
        self._saved(self.records)
        return len(self.records) - 1

    def failed(self, number: int, error: BaseException) -> None:
        self.records[number]["error"] = type(error).__name__

    def _is_users(self, frame: FrameType) -> bool:
        return frame.f_code.co_filename.startswith(self.folder)

    def _nearest(self, frame: FrameType | None) -> FrameType | None:
        """The innermost user frame at or around a frame."""
        while frame is not None and not self._is_users(frame):
            frame = frame.f_back
        return frame

    def _place(self, frame: FrameType) -> dict[str, Plain]:
        """Where the call in `frame` stands, and the rows of the user's calls that led there, outermost first."""
        row, end_row, column, end_column = _position(frame)
        chain: list[Plain] = []
        outer = self._nearest(frame.f_back)
        inner = frame
        while outer is not None:
            # a comprehension is a frame of its own, but no call
            if inner.f_code.co_name not in COMPREHENSIONS:
                chain.insert(0, [self._name(outer), _position(outer)[0]])
            inner, outer = outer, self._nearest(outer.f_back)
        return {
            "path": self._name(frame),
            "row": row,
            "column": None if column is None else column + 1,
            "end_row": end_row,
            "end_column": None if end_column is None else end_column + 1,
            "chain": chain,
        }

    def _name(self, frame: FrameType) -> str:
        return str(Path(frame.f_code.co_filename).relative_to(self.folder))

    def wrapped(self, original: Any, call: str, facts: Callable[[dict[str, Any]], Facts], run: Any = None) -> Any:
        """`original` with a record of each call that user code makes itself: torch calls the same functions for its
        own ends.

        `facts` takes the bound arguments; `run`, when given, replaces the call: it takes the number of the record and
        the bound arguments. A call whose arguments do not bind goes to the original, to raise what torch raises.
        """
        signature = inspect.signature(original)

        @functools.wraps(original)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            try:
                bound = signature.bind(*args, **kwargs)
            except TypeError:
                return original(*args, **kwargs)
            bound.apply_defaults()
            number = self.note(call, facts(bound.arguments), sys._getframe(1))
            if number is None:
                return original(*args, **kwargs)
            try:
                return original(*args, **kwargs) if run is None else run(number, bound.arguments)
            except Exception as error:
                self.failed(number, error)
                raise

        return wrapper

    # ------------------------------------------------------------ what is wrapped

    def install(self) -> None:
        """Put the wrappers into torch."""
        self._install_export()
        self._install_compile()
        self._install_load()
        self._install_ops()

    def _install_export(self) -> None:
        export = torch.export.export
        program_class = torch.export.ExportedProgram
        make_module = program_class.module

        def run_export(number: int, given: dict[str, Any]) -> Any:
            program = export(**given)
            self.records[number]["facts"] |= {"result": describe_result(program)}  # type: ignore[operator]
            self._exported[id(program)] = (program, given["mod"], number)
            return program

        def module(program: Any, *args: Any, **kwargs: Any) -> Any:
            made = make_module(program, *args, **kwargs)

            def before(_module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
                if not torch.compiler.is_compiling():
                    facts: Facts = {"target": "program", "program": self._number(program), **_inputs(args, kwargs)}
                    self.note("call", facts, self._nearest(sys._getframe(1)))

            made.register_forward_pre_hook(before, with_kwargs=True)
            return made

        torch.export.export = self.wrapped(export, "export", _export_facts, run_export)
        program_class.module = functools.wraps(make_module)(module)
        torch.export.save = self.wrapped(
            torch.export.save, "save", lambda given: {"file": _file(given["f"]), "program": self._number(given["ep"])}
        )

    def _install_compile(self) -> None:
        torch._inductor.aoti_compile_and_package = self.wrapped(
            torch._inductor.aoti_compile_and_package,
            "compile",
            lambda given: {
                "api": "aoti_compile_and_package",
                "program": self._number(given["exported_program"]),
                "file": _file(given["package_path"]),
                "configs": describe(given["inductor_configs"]),
            },
            self._compile_package,
        )
        torch._inductor.aot_compile = self.wrapped(
            torch._inductor.aot_compile,
            "compile",
            lambda given: {
                "api": "torch._inductor.aot_compile",
                "configs": describe(given["options"]),
                **_inputs(given["args"], given["kwargs"]),
            },
            lambda number, given: self._compile_library(number, given["gm"], given),
        )
        torch._export.aot_compile = self.wrapped(
            torch._export.aot_compile,
            "compile",
            lambda given: {
                "api": "torch._export.aot_compile",
                "model": describe_module(given["f"]),
                "shapes": describe_shapes(given["dynamic_shapes"]),
                "configs": describe(given["options"]),
                **_inputs(given["args"], given["kwargs"]),
            },
            lambda number, given: self._compile_library(number, given["f"], given),
        )
        torch._inductor.package.package_aoti = self.wrapped(
            torch._inductor.package.package_aoti,
            "package",
            lambda given: {"file": _file(given["archive_file"]), "models": describe(given["aoti_files"])},
            lambda number, given: self._package(given["archive_file"], given["aoti_files"]),
        )

    def _install_load(self) -> None:
        load_package = torch._inductor.package.load_package
        torch._inductor.aoti_load_package = self.wrapped(
            torch._inductor.aoti_load_package,
            "load",
            lambda given: {"api": "aoti_load_package", "file": _file(given["path"])},
            lambda number, given: self._load(number, given["path"], "model"),
        )
        torch._inductor.package.load_package = self.wrapped(
            load_package,
            "load",
            lambda given: {"api": "load_package", "file": _file(given["path"]), "model_name": given["model_name"]},
            lambda number, given: self._load(number, given["path"], given["model_name"]),
        )
        torch._export.aot_load = self.wrapped(
            torch._export.aot_load,
            "load",
            lambda given: {"api": "aot_load", "file": _file(given["so_path"]), "device": given["device"]},
            self._load_library,
        )

    def _install_ops(self) -> None:
        library = torch.library
        for name in ("custom_op", "triton_op"):
            setattr(library, name, self.wrapped(getattr(library, name), "op", lambda given: {"op": given["name"]}))
        for name in ("register_fake", "impl_abstract"):
            if hasattr(library, name):
                setattr(library, name, self.wrapped(getattr(library, name), "fake", _fake_facts))
        definition = torch._library.custom_ops.CustomOpDef
        definition.register_fake = self.wrapped(
            definition.register_fake, "fake", lambda given: {"op": given["self"]._qualname}
        )
        library.Library.define = self.wrapped(
            library.Library.define,
            "op",
            lambda given: {"op": f"{given['self'].ns}::{given['schema'].split('(')[0].strip()}"},
        )

    # ------------------------------------------------------------ what stands in

    def _number(self, program: Any) -> int | None:
        """The record that exported a program."""
        known = self._exported.get(id(program))
        return known[2] if known and known[0] is program else None

    def _compile_package(self, number: int, given: dict[str, Any]) -> Any:
        program = given["exported_program"]
        if not isinstance(program, torch.export.ExportedProgram):
            raise ValueError("Only ExportedProgram is supported")
        stubs.check_configs(given["inductor_configs"])
        known = self._exported.get(id(program))
        eager = known[1] if known else program.module()
        target = given["package_path"] or stubs.cache_path(".pt2")
        if isinstance(target, io.IOBase):
            raise NotImplementedError("a package in a buffer is not recorded")
        return self.files.write(target, {"model": stubs.Program(eager, program.example_inputs, number)})

    def _compile_library(self, number: int, module: Any, given: dict[str, Any]) -> Any:
        options = dict(given["options"] or {})
        path = options.get("aot_inductor.output_path") or stubs.cache_path(".so")
        example = (given["args"], given["kwargs"] or {})
        self.files.write(path, {"model": stubs.Program(module, example, number)})
        return [path] if options.get("aot_inductor.package") else path

    def _package(self, archive: Any, files: Any) -> Any:
        models = files if isinstance(files, dict) else {"model": files}
        for parts in models.values():
            assert not isinstance(parts, str), "/ is not a valid file path"
        return self.files.write(archive, {name: self.files.read(parts[0]) for name, parts in models.items()})

    def _load(self, number: int, path: Any, name: str | None) -> Any:
        program = self.files.read(path, name)
        self.records[number]["facts"] |= {"compiled": program.compiled}  # type: ignore[operator]
        return stubs.Loaded(program, self._call)

    def _load_library(self, number: int, given: dict[str, Any]) -> Any:
        stubs.check_device(given["device"])
        return self._load(number, given["so_path"], None)

    def _call(self, program: stubs.Program, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        facts: Facts = {"target": "loaded", "compiled": program.compiled, **_inputs(args, kwargs)}
        self.note("call", facts, self._nearest(sys._getframe(1)))
        self._running = True  # what the stand-in runs is no call of the user
        try:
            return program(args, kwargs)
        finally:
            self._running = False


def _position(frame: FrameType) -> tuple[int | None, int | None, int | None, int | None]:
    """First and last row, first and last column of what a frame is executing."""
    code: Any = frame.f_code  # `co_positions` is there from Python 3.11 on
    found: tuple[int | None, int | None, int | None, int | None] = list(code.co_positions())[frame.f_lasti // 2]
    return found


def _export_facts(given: dict[str, Any]) -> Facts:
    return {
        "model": describe_module(given["mod"]),
        "strict": given["strict"],
        "shapes": describe_shapes(given["dynamic_shapes"]),
        **_inputs(given["args"], given["kwargs"]),
    }


def _fake_facts(given: dict[str, Any]) -> Facts:
    op = given.get("op", given.get("qualname"))
    return {"op": getattr(op, "_qualname", None) or str(op)}


def _inputs(args: Any, kwargs: Any) -> Facts:
    return {"args": describe(args), "kwargs": describe(kwargs or {})}


def _file(value: Any) -> Plain:
    """A path as given; `cache` for one that the stand-in compiler chose."""
    if isinstance(value, io.IOBase):
        return {"is": "buffer"}
    return {"is": "cache"} if stubs.is_cache_path(value) else describe(value)
