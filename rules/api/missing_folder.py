"""AOTI209."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Path, Rule, catches
from aoti_lint.rule.events import CompileEvent, Event, FileEvent, PackEvent, SaveEvent
from aoti_lint.rule.values import NO_FILE, FileName, Package

from .package_path import SUFFIX

_RAISED = ("RuntimeError", "FileNotFoundError", "OSError")
_PACKAGING = "torch._inductor.aoti_compile_and_package"


class MissingFolder(Rule):
    """A program or a package is written to a folder that nothing makes.

    What happens:
        `RuntimeError: Parent directory out/models does not exist.`: `aoti_compile_and_package` raises it after the
        whole compile, and nothing of what was compiled is kept. `torch.export.save` and `package_aoti` raise the same.
        Up to torch 2.7 it is `FileNotFoundError: [Errno 2] No such file or directory: 'out/models/model.pt2'`.

    Why:
        None of these functions makes the folder of the file. The folder is relative to where the script is started;
        the project has no such folder, and nothing that is called before makes one. It may still be on the machine
        the script runs on, so this is a warning.

    Bad:
        import torch

        program = torch.export.export(torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),))
        torch._inductor.aoti_compile_and_package(program, package_path="out/models/model.pt2")  # <- AOTI209

    Good:
        import os

        import torch

        program = torch.export.export(torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),))
        os.makedirs("out/models", exist_ok=True)
        torch._inductor.aoti_compile_and_package(program, package_path="out/models/model.pt2")

    How to debug:
        The message names the folder as torch saw it; `os.getcwd()` says what it is relative to.

    Sources:
        Run on torch 2.13; `torch/_inductor/package/package.py` and `torch/export/__init__.py` of the releases 2.6.0 and
        2.7.1, which open the file with `zipfile`, and of 2.8.0, which opens it with `torch._C.PyTorchFileWriter`.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI209"
    name = "missing-folder"
    doubt = "what runs before this may make the folder"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        used: dict[tuple[str, tuple[str, ...]], list[Path]] = {}
        for event in facts.of(Event):
            file, compiling = _file(event)
            folder = file.key[:-1]
            before = used.setdefault((event.root, folder), [])
            if any(path.items() <= event.path.items() for path in before):
                continue  # it was there the first time, or that has been said
            before.append(event.path)
            writes = compiling if isinstance(event, CompileEvent) else isinstance(event, SaveEvent | PackEvent)
            if not writes or not _is_relative(folder) or catches(event.caught | event.expected, *_RAISED):
                continue
            if _may_be(facts, event.span.path, folder) or facts.folders_made().may_be(folder, event.root, event.order):
                continue
            name = "/".join(folder)
            when = " after the whole compile" if compiling else ""
            yield self.found(
                facts,
                event,
                Confidence.LIKELY,
                f"nothing here makes the folder {name}: writing a file into it raises{when}",
                outcome=Outcome.RAISES_AT_COMPILE if compiling else Outcome.RAISES,
                label=f"writes {'/'.join(file.key)}",
                help=f'before it: os.makedirs("{name}", exist_ok=True)',
            )


def _file(event: Event) -> tuple[FileName, bool]:
    """The file an event writes or reads, and whether it is the package that a whole compile ends with."""
    match event:
        case SaveEvent(file=file) | PackEvent(file=file) | FileEvent(file=file):
            return file, False
        case CompileEvent(package=Package(api=api, file=file)):
            # Other names than those of packages are refused before the compile: AOTI207.
            return file, api == _PACKAGING and "".join(file.key).endswith(SUFFIX)
        case _:
            return NO_FILE, False


def _is_relative(folder: tuple[str, ...]) -> bool:
    """Whether a folder is written out, and lies below the current one."""
    if not folder or folder[0] in ("/", "..") or ":" in folder[0]:  # a drive or an address
        return False
    return not any("<" in part for part in folder)


def _may_be(facts: Facts, script: str, folder: tuple[str, ...]) -> bool:
    """Whether the project has the folder, seen from the script or from any folder around it, or names it elsewhere."""
    name, base = "/".join(folder), script
    while base:
        base = base.rpartition("/")[0]
        if facts.project.has_folder(f"{base}/{name}" if base else name):
            return True
    # A file that was not followed, such as a shell script, may make it.
    known = {*facts.project.analysed, *facts.project.all_files}
    return bool(set(facts.project.mentions(name).files) - known)
