"""Writes the script with the tensors it needs beside it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from aoti_lint.files.writer import Target
from aoti_lint.quoting.python import Python, docstring, form, joined, literal, string
from aoti_lint.rerun.repro import extern, kernel, template, triton, words
from aoti_lint.rerun.repro.saved import Saved
from aoti_lint.rerun.wrapper.arguments import Values, solve
from aoti_lint.rerun.wrapper.calls import Call, Run
from aoti_lint.rerun.wrapper.errors import NoRepro
from aoti_lint.rerun.wrapper.package import Model, models
from aoti_lint.rerun.wrapper.statements import read

if TYPE_CHECKING:
    import torch

    from aoti_lint.rerun.result import Launch
    from aoti_lint.tensors.dumps import Dump

SCRIPT = "repro.py"


def write(launch: Launch, package: str, dumps: Sequence[Dump], folder: str, said: Callable[[str], str] = str) -> str:
    """Write a script that runs a launch of a package alone, and give its path.

    `dumps` are the tensors that the debug printer saved (level 1) in a run of the package, `folder` is made. `said`
    gives a text with the paths that the user knows. It needs torch to write weights and to know the schemas of
    operators; nothing of the package or of the user is run. Raises `NoRepro` with the reason where it cannot be done.
    """
    model, run, at = _found(launch, package)
    made = _Script(model, run, at, dumps)
    made.build()
    os.makedirs(os.path.join(folder, "tensors"), exist_ok=True)
    body = made.tensors(folder)
    if made.source is not None:
        Target(os.path.join(folder, made.source[0]), _ours).write(said(made.source[1]))
    path = os.path.join(folder, SCRIPT)
    parts = [_header(launch, package, made.call), Python("\n\n"), template.HEAD, body, made.body]
    Target(path, _ours).write(said(joined(parts)))
    return path


def _ours(head: bytes) -> bool:
    """What is in the folder is of a rerun before."""
    return True


def _found(launch: Launch, package: str) -> tuple[Model, Run, int]:
    """The launch among those of the package: by its number where the name is the same, else by its name."""
    known = [(model, read(model.wrapper, model.nodes)) for model in models(package)]
    for model, run in known:
        at = launch.number - 1
        if at < len(run.calls) and run.calls[at].is_called(launch.name):
            return model, run, at
    for model, run in known:
        for at, call in enumerate(run.calls):
            if call.is_called(launch.name):
                return model, run, at
    raise NoRepro(f"the source in the package does not call {launch.name}")


class _Script:
    """A script in the making."""

    def __init__(self, model: Model, run: Run, at: int, dumps: Sequence[Dump]) -> None:
        self._model, self._run, self._at = model, run, at
        self.call: Call = run.calls[at]
        self._saved = Saved(run, dumps)
        self._values = Values(run, solve(run, self._saved.shapes))
        self.body = Python("")
        self.source: tuple[str, str] | None = None
        self._given: list[str] = []
        self._written: list[str] = []

    def build(self) -> None:
        """Write the call. Raises `NoRepro`."""
        call, values = self.call, self._values
        if call.kind == "kernel":
            self.body, text, self._written = kernel.script(call, values, self._model.kernels)
            self.source = ("kernel.cpp", text)
            self._given = kernel.tensors(call)
        elif call.kind == "triton":
            self.body, text, self._given, self._written = triton.script(call, values, self._model.wrapper)
            self.source = ("kernel.py", text)
        elif call.kind == "extern":
            self.body, self._given, self._written = extern.of_torch(call, values)
        else:
            node = next((n for n in self._model.nodes if n.get("target") == call.name), {})
            self.body, self._given, self._written = extern.of_user(call, values, node)

    def tensors(self, folder: str) -> Python:
        """Put the tensors into the folder; gives the lines that load them. Raises `NoRepro` for one that is lost."""
        lines = [Python("\n\ngiven = {")]
        for name in self._given:
            value = self._given_as(name, folder)
            lines.append(form("    @NAME@: @VALUE@,", NAME=string(words.name(name)), VALUE=value))
        for name in self._written:
            dump = self._saved.after(self._at, name)
            if dump is not None:
                shutil.copyfile(dump.path, os.path.join(folder, "tensors", f"after_{name}.pt"))
        return joined([*lines, Python("}\n")], "\n")

    def _given_as(self, name: str, folder: str) -> Python:
        target = os.path.join(folder, "tensors", f"before_{name}.pt")
        dump = self._saved.before(self._at, name)
        if dump is not None:
            shutil.copyfile(dump.path, target)
            return _load(name)
        if name in self._run.constants:
            import torch

            value, device = self._weight(self._run.constants[name])
            torch.save(value, target)
            if device == "cpu":
                return _load(name)
            return form("@TENSOR@.to(@DEVICE@)", TENSOR=_load(name), DEVICE=string(device))
        if name in self._written and name in self._run.sizes:
            return self._fresh(name)
        raise NoRepro(f"what {name} was given as was not saved")

    def _weight(self, index: int) -> tuple[torch.Tensor, str]:
        import torch

        weight = self._model.weight(index)
        data = torch.frombuffer(bytearray(self._model.bytes_of(weight)) or bytearray(1), dtype=torch.uint8)
        dtype: torch.dtype = getattr(torch, weight.dtype)
        whole = data[: len(data) // dtype.itemsize * dtype.itemsize].view(dtype)
        return whole.as_strided(weight.shape, weight.strides).clone(), weight.device

    def _fresh(self, name: str) -> Python:
        """Memory for a result that was not saved."""
        sizes, strides = (tuple(map(self._values.size, table[name])) for table in (self._run.sizes, self._run.strides))
        after = self._saved.after(self._at, name)
        if after is None or after.stats is None:
            raise NoRepro(f"the dtype of {name} is not known: nothing of it was saved")
        return form("torch.empty_strided(@SIZES@, @STRIDES@, dtype=torch.@DTYPE@)", SIZES=literal(sizes),
                    STRIDES=literal(strides), DTYPE=words.name(after.stats.dtype))  # fmt: skip


def _load(name: str) -> Python:
    """What a tensor was before the launch; its file is called after it."""
    return form("load(@FILE@)", FILE=string(f"before_{words.name(name)}"))


def _header(launch: Launch, package: str, call: Call) -> Python:
    lines = [
        f"Runs one launch of a compiled model alone: {launch.name}, number {launch.number}.",
        "",
        f"aoti-lint wrote it from {os.path.abspath(package)}. In the package it is called as",
        f"    {call.text}",
        *(["It was made from"] if launch.places else []),
        *(f"    {place.path}:{place.line}  {place.text.strip()}" for place in launch.places),
        "",
        "tensors/ has what it was given in a run of the model, and what it left, as far as that was saved. The script",
        "needs torch only. Exit code: 0 when it leaves here what it left in the model, 1 when it does not, or when it",
        "reads or writes outside of its tensors.",
    ]
    return docstring(lines)
