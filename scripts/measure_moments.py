"""Measure when torch reads its environment variables, and make `aoti_lint/torch_api/moments.json` of it.

    python scripts/measure_moments.py > 2.13.json                 # with the Python of an environment that has torch
    python scripts/measure_moments.py --package timm > timm.json  # the same for imports of another package
    python scripts/measure_moments.py --merge 2.*.json timm.json  # put them into moments.json

Every action of `moment_actions.py` runs in a process of its own, forked from one that has done nothing but
`import torch` (or nothing at all) and imported some packages torch uses. `os.environ` reports who reads which variable:
a read while a module is being imported happens once and belongs to that module; any other read happens when the action
runs. Reads by C++ code are not seen. What fails is not measured in that release. Releases of torch were installed from
PyPI with what they require, numpy, setuptools and onnxscript, on Linux without a GPU. Of the other packages each was
installed alone, with what it requires, beside torch 2.13.0, and taken away again: what a package imports depends on
what it finds.
Merging keeps the releases and packages of `moments.json` that were not measured anew. The same measurements give the
same bytes, in one merge or in several.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import signal
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib import import_module, metadata
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import moment_actions as actions

OUTPUT = Path(__file__).parents[1] / "aoti_lint" / "torch_api" / "moments.json"

ALWAYS_SHOWN = (
    # Settings live here, even where a release has none that a variable sets.
    "torch._dynamo.config",
    "torch._export.config",
    "torch._functorch.config",
    "torch._inductor.config",
    "torch.compiler.config",
    "torch.fx.experimental._config",
)
SECONDS = 300
NOT_RECORDED = "#--\n"

Reads = dict[str, set[str]]


def torch_module(frame: FrameType | None) -> str:
    """The name of the torch module whose code the frame runs, "" for other code and for code made at run time."""
    names = frame.f_globals if frame else {}
    name = str(names.get("__name__", ""))
    return name if name.partition(".")[0] == "torch" and names.get("__spec__") is not None else ""


def callers(frame: FrameType | None) -> Iterator[FrameType]:
    """The frame and those that called it, without those of `os.environ` itself."""
    while frame:
        if frame.f_code.co_filename not in ("<frozen os>", "<frozen _collections_abc>", os.__file__):
            yield frame
        frame = frame.f_back


def watch(at_import: Reads, when_run: set[str], present: set[str]) -> None:
    """Note every read of a variable by torch: the module being imported and the variable, or the variable alone.

    What was `present` from the start is left out: it may be read only to hand the whole environment on.
    """
    plain = os._Environ.__getitem__

    def read(self: Any, key: Any) -> Any:
        asking = sys._getframe(1)
        frames = list(callers(asking))
        whole = asking.f_code.co_name in ("copy", "__iter__")
        if not whole and key not in present and frames and torch_module(frames[0]):
            running = next((frame for frame in frames if frame.f_code.co_name == "<module>"), None)
            if module := torch_module(running):
                at_import[module].add(str(key))
            else:
                when_run.add(str(key))
        return plain(self, key)

    os._Environ.__getitem__ = read  # type: ignore[method-assign]


def run(statements: str, given: dict[str, Any]) -> dict[str, Any]:
    """Run the statements in this process; what the recorded part loaded and read, or why it failed."""
    at_import: Reads = defaultdict(set)
    when_run: set[str] = set()
    present = set(os.environ)
    before, _, recorded = statements.rpartition(NOT_RECORDED)
    module = sys.modules["moments"] = ModuleType("moments")
    names = vars(module)
    names.update(given)
    try:
        for part in (actions.SETUP if "torch" in given else "", before):
            execute(part, names)
        known = set(sys.modules)
        watch(at_import, when_run, present)
        execute(recorded, names)
    except BaseException as error:
        return {"failed": f"{type(error).__name__}: {str(error)[:200]}"}
    shown = set(ALWAYS_SHOWN) & (set(sys.modules) - known)
    return {
        "loads": sorted(shown | set(at_import)),
        "reads": sorted(when_run),
        "variables": {module: sorted(found) for module, found in sorted(at_import.items())},
        "torch": "torch" in sys.modules,
    }


def execute(source: str, names: dict[str, Any]) -> None:
    """Run the source from a file, so that torch can look up the text of its functions.

    Its annotations are not turned to text, as those of this file are: torch 2.4 reads them in a custom operator.
    """
    with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as file:
        file.write(source)
    exec(compile(source, file.name, "exec", dont_inherit=True), names)


def forked(statements: str, given: dict[str, Any]) -> dict[str, Any]:
    """What `run` answers in a process of its own; the given names are there already."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.setpgrp()
        signal.alarm(SECONDS)
        quiet = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(quiet, number)
        with os.fdopen(writer, "w") as pipe:
            json.dump(run(statements, given), pipe)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # Workers it may have left.
    return dict(json.loads(text)) if text else {"failed": f"no answer within {SECONDS} s"}


def measure() -> dict[str, Any]:
    """The moments of the torch of this environment."""
    for name in actions.SLOW_TO_IMPORT:
        import_module(name)
    prepared = {name for name, statements in actions.BARE.items() if NOT_RECORDED in statements}
    answers = {name: forked(actions.BARE[name], {}) for name in actions.BARE if name not in prepared}
    import torch

    answers |= {name: forked(actions.BARE[name], {}) for name in sorted(prepared)}
    given: dict[str, Any] = {"torch": torch, "PROGRAM": os.path.join(tempfile.mkdtemp(), "program.pt2")}
    forked(actions.PROGRAM, given)
    for name, statements in actions.AFTER_IMPORT.items():
        answers[name] = forked(statements, given)
    return {"torch": str(torch.__version__), "actions": answers}


def measure_package(distribution: str) -> dict[str, Any]:
    """What imports of an installed package load, in processes that have not imported torch."""
    names = [name for name, home in actions.THIRD_PARTY.items() if home == distribution]
    version = metadata.version(distribution)
    answers = {name: {"version": f"{distribution} {version}", **forked(name, {})} for name in names}
    return {"beside torch": metadata.version("torch"), "imports": answers}


def span(minors: Iterable[str]) -> str:
    """The minors as `VersionSet.parse` reads them: "2.4..2.15", "2.4||2.6..2.8"."""
    from aoti_lint.torch_api.versions import VersionSet

    return "||".join(a if a == b else f"{a}..{b}" for a, b in VersionSet(minors).intervals())


def spans(found: dict[str, list[str]]) -> dict[str, str]:
    """name -> minors, turned to span -> names."""
    groups: dict[str, list[str]] = defaultdict(list)
    for name in sorted(found):
        groups[span(found[name])].append(name)
    return {text: " ".join(names) for text, names in sorted(groups.items())}


def merged(measurements: list[dict[str, Any]]) -> dict[str, Any]:
    """The data of `moments.json`.

    Raises `ValueError` when two measurements are of the same minor, or packages were measured beside different torches.
    """
    by_minor: dict[str, dict[str, Any]] = {}
    others = [one for one in measurements if "imports" in one]
    besides = {one["beside torch"].partition("+")[0] for one in others}
    if len(besides) > 1:
        raise ValueError(f"packages were measured beside torch {' and '.join(sorted(besides))}")
    for one in measurements:
        if "torch" in one:
            minor = _minor(one["torch"])
            if minor in by_minor:
                raise ValueError(f"torch {minor} was measured twice")
            by_minor[minor] = one
    variables: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for minor, one in by_minor.items():
        holders = (one, *one["actions"].values())
        pairs = {(v, m) for holder in holders for m, vs in holder.get("variables", {}).items() for v in vs}
        for variable, module in pairs:
            variables[variable][module].append(minor)
    document: dict[str, Any] = {
        "format": 1,
        "releases": {minor: by_minor[minor]["torch"].partition("+")[0] for minor in sorted(by_minor, key=_number)},
        "actions": {},
        "variables": {name: spans(found) for name, found in sorted(variables.items())},
    }
    for name in (*actions.BARE, *actions.AFTER_IMPORT):
        answers = {minor: one["actions"][name] for minor, one in by_minor.items() if name in one["actions"]}
        ran = {minor: answer for minor, answer in answers.items() if "failed" not in answer}
        if not ran:
            continue
        entry: dict[str, Any] = {"ran": span(ran)}
        for kind in ("loads", "reads"):
            found: dict[str, list[str]] = defaultdict(list)
            for minor, answer in ran.items():
                for item in answer[kind]:
                    found[item].append(minor)
            if found:
                entry[kind] = spans(found)
        document["actions"][name] = entry
    if others:
        answers = {name: answer for one in others for name, answer in one["imports"].items() if "failed" not in answer}
        document["third party"] = {
            "beside": besides.pop(),
            "imports": {
                name: {"version": answer["version"], "torch": answer["torch"], "loads": " ".join(answer["loads"])}
                for name, answer in sorted(answers.items())
            },
        }
    return document


def taken_apart(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The measurements that make the document when merged; what failed is not in it."""
    from aoti_lint.torch_api.versions import VersionSet

    def of(minor: str, spans: dict[str, str]) -> list[str]:
        return sorted(
            name for text, names in spans.items() if minor in VersionSet.parse(text) for name in names.split()
        )

    found: list[dict[str, Any]] = []
    for minor, version in document["releases"].items():
        variables: dict[str, list[str]] = defaultdict(list)
        for variable, modules in document["variables"].items():
            for module in of(minor, modules):
                variables[module].append(variable)
        ran = {name: entry for name, entry in document["actions"].items() if minor in VersionSet.parse(entry["ran"])}
        answers = {
            name: {kind: of(minor, entry.get(kind, {})) for kind in ("loads", "reads")} for name, entry in ran.items()
        }
        found.append({"torch": version, "actions": answers, "variables": variables})
    if others := document.get("third party"):
        imports = {name: {**entry, "loads": entry["loads"].split()} for name, entry in others["imports"].items()}
        found.append({"beside torch": others["beside"], "imports": imports})
    return found


def updated(document: dict[str, Any], measurements: list[dict[str, Any]]) -> dict[str, Any]:
    """The document with the measurements put in; they replace what it says of the same minor or the same import."""
    anew = {_minor(one["torch"]) for one in measurements if "torch" in one}
    kept = [one for one in taken_apart(document) if "torch" not in one or _minor(one["torch"]) not in anew]
    return merged([*kept, *measurements])


def _minor(version: str) -> str:
    return ".".join(version.split(".")[:2])


def _number(minor: str) -> tuple[int, ...]:
    return tuple(map(int, minor.split(".")))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", help="measure the imports of this installed distribution")
    parser.add_argument("--merge", type=Path, nargs="+", metavar="MEASUREMENT", help="put these into moments.json")
    given = parser.parse_args()
    if given.merge:
        known = json.loads(OUTPUT.read_text(encoding="utf-8"))
        document = updated(known, [json.loads(path.read_text(encoding="utf-8")) for path in given.merge])
        OUTPUT.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
        return
    for name in set(os.environ) - {"HOME", "LD_LIBRARY_PATH", "PATH"}:
        del os.environ[name]
    os.environ["TMPDIR"] = tempfile.tempdir = tempfile.mkdtemp()  # Compile anew: what a cache answers reads less.
    gc.disable()  # It takes time, and no process lives long.
    json.dump(measure_package(given.package) if given.package else measure(), sys.stdout, indent=1)


if __name__ == "__main__":
    main()
