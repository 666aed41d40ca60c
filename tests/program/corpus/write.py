"""Writes programs, packages and libraries with the torch it runs under: `python write.py FOLDER KIND-OR-NAME…`.

The kinds are `programs`, `packages` and `libraries`; the names are those of the files without `.pt2` (`dim`,
`dim.aoti`, `bare`). Packages and libraries need a C++ compiler; each is made in a process of its own. `made.json` says
how each ended, and with which torch.
"""

import datetime
import json
import multiprocessing
import os
import platform
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")

import torch
import torch._dynamo
import torch._inductor
from models import BARE, PACKAGES, PROGRAMS, RELEASE, Skip, case

OPTIONAL = {"aot_inductor.debug_symbols"}
"""Configuration that may be left out where a release does not know it."""


def export(name: str) -> torch.export.ExportedProgram:
    found = case(name)
    return torch.export.export(
        found.module, found.args, found.kwargs or None, dynamic_shapes=found.shapes, **found.options
    )


def program(name: str, path: Path) -> None:
    torch._dynamo.reset()
    made = export(name)
    if name == "buffers_decomp":
        made = made.run_decompositions()
    if name == "no_inputs":
        made._example_inputs = None
    extra = {"extra_files": {"notes.txt": "hello", "sub/b.json": "{}"}} if name == "extra_files" else {}
    torch.export.save(made, str(path), **extra)


def several_programs(path: Path) -> None:
    programs = {"a": export("dim"), "b": export("buffers"), "c_2": export("customop")}
    package_pt2()(str(path), exported_programs=programs, extra_files={"notes.txt": "two programs"})


def package_pt2() -> Callable[..., Any]:
    try:
        from torch.export.pt2_archive._package import package_pt2 as found
    except ImportError:
        raise Skip("no torch.export.pt2_archive") from None
    return found


def known(config: dict[str, Any]) -> dict[str, Any]:
    """`config` as far as this release knows it. Raises `Skip` where that would be another package."""
    from torch._inductor import config as settings

    have = settings.to_dict() if hasattr(settings, "to_dict") else settings.shallow_copy_dict()
    unknown = [key for key in config if key not in have and key not in OPTIONAL]
    if unknown:
        raise Skip(f"no such configuration here: {', '.join(unknown)}")
    return {key: value for key, value in config.items() if key in have}


def package(name: str, path: Path) -> None:
    if RELEASE < (2, 6):
        raise Skip("aoti_compile_and_package is not there or takes something else")
    model, config = PACKAGES[name]
    torch._inductor.aoti_compile_and_package(export(model), package_path=str(path), inductor_configs=known(config))


def files_of(name: str) -> Any:
    """What a package is made of, not yet packed."""
    found = case(name)
    with torch.no_grad():
        return torch._inductor.aot_compile(
            export(name).module(), found.args, found.kwargs or None, options={"aot_inductor.package": True}
        )


def two_packages(path: Path) -> None:
    from torch._inductor.package import package_aoti

    package_aoti(str(path), {"first": files_of("dim"), "second": files_of("static")})


def program_and_package(path: Path) -> None:
    package_pt2()(
        str(path),
        exported_programs={"a": export("dim")},
        aoti_files={"first": files_of("dim")},
        extra_files={"notes.txt": "mixed"},
    )


def library(name: str, folder: Path) -> None:
    """A library with what torch leaves beside it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    compiled(BARE[name], {"aot_inductor.output_path": str(folder / "model.so")})


def library_in_cache(folder: Path) -> None:
    """The same where the user chose no place: in the cache, which must not hold another."""
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()
    made = compiled("dim", {})
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for file in Path(made).parent.iterdir():
        if file.is_file():
            shutil.copy(file, folder)
    shutil.rmtree(os.environ["TORCHINDUCTOR_CACHE_DIR"])


def compiled(name: str, options: dict[str, Any]) -> str:
    found = case(name)
    with torch.no_grad():
        return torch._export.aot_compile(
            found.module, found.args, found.kwargs or None, dynamic_shapes=found.shapes, options=options
        )


KINDS = {
    "programs": [*PROGRAMS, "multi"],
    "packages": [*(f"{name}.aoti" for name in PACKAGES), "two.aoti", "mixed"],
    "libraries": [*BARE, "bare_cache"],
}


def make(name: str, folder: Path) -> None:
    path = folder / f"{name}.pt2"
    if name == "multi":
        several_programs(path)
    elif name == "two.aoti":
        two_packages(path)
    elif name == "mixed":
        program_and_package(path)
    elif name == "bare_cache":
        library_in_cache(folder / name)
    elif name in BARE:
        library(name, folder / name)
    elif name.endswith(".aoti"):
        package(name.removesuffix(".aoti"), path)
    else:
        program(name, path)


def outcome(name: str, folder: Path) -> str:
    """Make `name` and say how that ended; nothing half made stays."""
    try:
        make(name, folder)
    except Skip as skip:
        ended = f"skipped: {skip}"
    except Exception as error:
        ended = failure(error)
    else:
        return "made"
    (folder / f"{name}.pt2").unlink(missing_ok=True)
    return ended


def failure(error: BaseException) -> str:
    """What an exception says first."""
    lines = [line.strip() for line in f"{type(error).__name__}: {error}".splitlines() if line.strip()]
    return " | ".join(lines[:2])[:300]


def apart(function: Callable[[], Any], seconds: int = 600) -> Any:
    """What `function` gives in a process of its own; a dictionary with `error` where it raises or dies."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)

    def work() -> None:
        signal.alarm(seconds)
        try:
            found = function()
        except Exception as error:
            found = {"error": failure(error)}
        sender.send(json.dumps(found))

    process = context.Process(target=work)
    process.start()
    sender.close()
    try:
        found = json.loads(receiver.recv())
    except EOFError:
        found = None
    process.join()
    return {"error": f"process died, exit code {process.exitcode}"} if process.exitcode else found


def warm_up() -> None:
    """Have torch find out about the processor once, not in every process that is started from here."""
    torch.set_num_threads(1)
    import torch._inductor.codecache as module

    if not hasattr(module, "pick_vec_isa"):
        import torch._inductor.cpu_vec_isa as module
    module.pick_vec_isa()


def main(target: str, wanted: list[str]) -> None:
    folder = Path(target)
    folder.mkdir(parents=True, exist_ok=True)
    names = [name for word in wanted for name in KINDS.get(word, [word])]
    note = folder / "made.json"
    made = json.loads(note.read_text())["made"] if note.exists() else {}
    compiling = [name for name in names if name not in KINDS["programs"]]
    with tempfile.TemporaryDirectory() as cache:
        os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", cache)
        if compiling:
            warm_up()
        for name in names:
            ended = apart(lambda name=name: outcome(name, folder)) if name in compiling else outcome(name, folder)
            made[name] = ended if isinstance(ended, str) else ended["error"]
            print(f"{name}: {made[name]}", flush=True)
    about = {
        "torch": torch.__version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "made": made,
    }
    note.write_text(json.dumps(about, indent=1) + "\n")


if __name__ == "__main__":
    if RELEASE < (2, 4):
        sys.exit("needs torch 2.4 or later")
    main(sys.argv[1], sys.argv[2:])
