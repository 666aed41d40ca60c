"""Records what scripts really do with torch. Run by hand, with torch installed: `python -m tests.oracle.record`.

Each script runs in a forked child of a process that has torch loaded and wrapped (`wrap.py`). Exporting is real; the
AOTInductor compile is stubbed (`stubs.py`): a package only remembers its program and a loaded model runs the eager
module, so two hundred scripts take a minute or two instead of hours. What a script prints is dropped. The variables a
truth script had in its environment are set for it, but torch has been imported before, so those that torch reads at
import have no effect.

The records go to `recorded.json` with the versions and the date, and the hash of each script they were made from.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import json
import os
import platform
import shutil
import signal
import sys
import tempfile
import time
import traceback
import types
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
RECORDED = HERE / "recorded.json"
SECONDS = 180


def scripts() -> dict[str, list[Path]]:
    """What is recorded: name -> the script to run, then the other files of its folder if it has its own."""
    tests = HERE.parent
    folders = (tests / "truth" / "scripts", tests / "projects" / "single", HERE / "scripts")
    single = [path for folder in folders for path in folder.glob("*.py")]
    found = {path.relative_to(tests).as_posix(): [path] for path in single}
    for main in (HERE / "scripts").glob("*/main.py"):
        others = sorted(path for path in main.parent.glob("*.py") if path != main)
        found[main.relative_to(tests).as_posix()] = [main, *others]
    return dict(sorted(found.items()))


def digest(paths: list[Path]) -> str:
    """One hash of the files of a script."""
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in paths)).hexdigest()[:16]


def run_child(paths: list[Path], env: dict[str, str], answer: Path) -> None:
    """Run one script under the recorder in this process and write its records to `answer`."""
    from tests.oracle.describe import Plain
    from tests.oracle.wrap import Recorder

    signal.alarm(SECONDS)
    folder = Path(tempfile.mkdtemp(prefix="oracle_")).resolve()
    for path in paths:
        shutil.copy(path, folder / path.name)
    main = folder / paths[0].name
    work = folder / "run"
    work.mkdir()
    os.chdir(work)
    os.environ.update(env)
    sys.argv = [str(main)]
    sys.path.insert(0, str(folder))

    def write(records: list[dict[str, Plain]], end: str = "died") -> None:
        answer.write_text(json.dumps({"end": end, "records": records}))

    recorder = Recorder(folder, write)
    recorder.install()
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    # torch.export looks the globals of a function up in `sys.modules`
    module = types.ModuleType("__main__")
    module.__file__ = str(main)
    sys.modules["__main__"] = module
    end = "ok"
    try:
        exec(compile(main.read_text(), str(main), "exec"), module.__dict__)
    except SystemExit as stop:
        end = f"exit {stop.code}"
    except BaseException as error:
        end = describe_end(error, str(main))
    write(recorder.records, end)
    shutil.rmtree(folder, ignore_errors=True)


def describe_end(error: BaseException, path: str) -> str:
    """`line N: Type: first line`, N being the row of the script's own statement that failed."""
    rows = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    text = [*str(error).strip().splitlines(), ""][0].replace(sys.prefix, "…")
    return f"line {rows[0] if rows else '?'}: {type(error).__name__}: {text[:120]}"


def record(paths: list[Path], env: dict[str, str]) -> dict[str, Any]:
    """The records of one script, made in a forked child."""
    with tempfile.TemporaryDirectory(prefix="oracle_answer_") as folder:
        answer = Path(folder, "answer.json")
        child = os.fork()
        if child == 0:
            try:
                run_child(paths, env, answer)
            except BaseException:
                answer.with_suffix(".error").write_text(traceback.format_exc())
            finally:
                os._exit(0)
        _, status = os.waitpid(child, 0)
        if not answer.exists() or answer.with_suffix(".error").exists():
            why = answer.with_suffix(".error")
            raise RuntimeError(why.read_text() if why.exists() else f"{paths[0]} died with status {status}")
        made: dict[str, Any] = json.loads(answer.read_text())
        return made


def dumps(about: dict[str, str], known: dict[str, Any]) -> str:
    """The file as text, one record a line."""
    lines = ["{", *(f" {json.dumps(key)}: {json.dumps(value)}," for key, value in about.items()), ' "scripts": {']
    for name, entry in sorted(known.items()):
        records = ",\n".join(f"   {json.dumps(item)}" for item in entry["records"])
        head = f'  {json.dumps(name)}: {{"sha": "{entry["sha"]}", "end": {json.dumps(entry["end"])}, "records": ['
        lines.append(head + (f"\n{records}\n  ]}}," if records else "]},"))
    lines[-1] = lines[-1].removesuffix(",")
    return "\n".join([*lines, " }", "}", ""])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", help="record only scripts whose name holds one of these")
    chosen = parser.parse_args().names

    import torch

    from tests.oracle import wrap

    torch.set_num_threads(1)
    assert wrap
    labels = json.loads((HERE.parent / "truth" / "labels.json").read_text())
    known: dict[str, Any] = json.loads(RECORDED.read_text())["scripts"] if chosen and RECORDED.exists() else {}
    started = time.monotonic()
    for name, paths in scripts().items():
        if chosen and not any(part in name for part in chosen):
            continue
        env = labels.get(paths[0].name, {}).get("env", {})
        known[name] = {"sha": digest(paths), **record(paths, env)}
        print(f"{name}: {known[name]['end']} ({len(known[name]['records'])} records)", flush=True)
    about = {
        "torch": torch.__version__,
        "python": platform.python_version(),
        "date": datetime.date.today().isoformat(),
        "how": "python -m tests.oracle.record; AOTInductor stubbed, export real",
    }
    RECORDED.write_text(dumps(about, known))
    print(f"{len(known)} scripts in {time.monotonic() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
