"""Puts everything in place in a process that has just started."""

from __future__ import annotations

import functools
import json
import os
import sys
from typing import Any

from .calls import ops, programs, tuning
from .calls.packages import Packages
from .events import Events
from .exported import eager
from .exported.beside import Beside
from .files.copied import Copied
from .files.guard import Guard
from .files.paths import Paths
from .files.saved import Saved
from .files.view import View
from .imports import Watch
from .settings import INDUCTOR, by_module, replacer, setter


def start(path: str) -> None:
    """Begin with the task that the file `path` holds, as `run.children` wrote it."""
    with open(path, encoding="utf-8") as file:
        task: dict[str, Any] = json.load(file)
    command = list(getattr(sys, "orig_argv", sys.argv))
    if any("compile_worker" in word for word in command):
        # Inductor compiles in processes of its own: no code of the user runs there.
        return
    events = Events(os.path.join(task["folder"], "events"))
    events.write("start", command=command, cwd=os.getcwd(), python=sys.version.split()[0])
    paths = Paths(task["root"], task["run"], task["phase"] == "run", task["started"])
    Guard(events, paths, task["root"]).install()
    copied = Copied(**task["copy"]) if task.get("copy") else None
    View(paths, events, copied).install()
    settings = by_module(task["config"])
    saved = Saved(task["folder"], task["started"])
    beside = Beside(events, paths) if task.get("beside") else None
    packages = Packages(events, paths, settings.get(INDUCTOR, {}), saved, beside)
    after: dict[str, list[Any]] = {name: [setter(values, events)] for name, values in settings.items()}
    if copied is not None:
        copied.install()
        copied.modules()
        after["torch.serialization"] = [_safely(copied.serialization, "torch.serialization", events)]
    for full, other in task.get("replace", {}).items():
        module, _, name = full.rpartition(".")
        after.setdefault(module, []).append(replacer(name, other, events))
    for name, done in (
        ("torch", packages.loader),
        ("torch", functools.partial(programs.unwatch, events=events)),
        ("torch", functools.partial(eager.watch, events=events)),
        ("torch._dynamo.eval_frame", functools.partial(eager.watch_modules, events=events)),
        ("torch.nn.modules.module", packages.modules),
        ("torch.export.exported_program", functools.partial(programs.watch, events=events)),
        ("torch.export", packages.export),
        ("torch._export", packages.old),
        ("torch._inductor", packages.inductor),
        ("torch._inductor.package.package", packages.package),
        ("torch.export.pt2_archive._package", packages.package),
        ("torch._inductor.compile_fx", packages.compile_fx),
        ("torch.library", functools.partial(ops.watch, events=events)),
        ("torch._inductor.runtime.triton_heuristics", functools.partial(tuning.watch, events=events)),
    ):
        after.setdefault(name, []).append(_safely(done, name, events))
    Watch({name: functools.partial(_each, steps) for name, steps in after.items()}).install()


def _each(steps: list[Any], module: Any) -> None:
    for step in steps:
        step(module)


def _safely(done: Any, name: str, events: Events) -> Any:
    def after(module: Any) -> None:
        try:
            done(module)
        except Exception as error:
            events.note(f"cannot watch {name}", error)

    return after
