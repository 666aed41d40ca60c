"""The part of a written Python script that is the same for every plan: runs the stages that are named, or all.

It needs nothing but Python, and runs where there is no shell. `PLAN` and `HOOK` are filled in.
"""

import atexit
import functools
import glob
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from typing import Any

PLAN: Any = {}
HOOK = ""
LIMIT = float(os.environ.get("LIMIT", "600"))
"""Seconds for each run."""
INPUT = os.environ.get("INPUT") or os.devnull
"""What programs read from standard input."""
PLACES = (os.path.join("tmp", "aoti_torch"), os.path.join("tmp", "jit_inductor"), "tmp")
"""Where the debug printer saves tensors, below the folder in which a program runs."""
SAVED = re.compile(r"^aoti_torch_save_tensor_handle: Saved tensor to (.+)$", re.MULTILINE)


class Missing(Exception):
    """What a step needs is not there."""


def main(words: list[str]) -> int:
    """Run the stages; `values:NAME,NAME` is one that asks about kernels."""
    out = os.path.abspath(os.environ.get("OUT") or time.strftime("rerun-%Y%m%d-%H%M%S"))
    stages = {stage["name"]: stage for stage in PLAN["stages"]}
    asked = [word.partition(":")[::2] for word in words] or [(name, "") for name in stages]
    for name, _ in asked:
        if name not in stages:
            say(f"there is no stage {name}; there are: {' '.join(stages)}")
            return 2
    if not os.access(INPUT, os.R_OK):
        say(f"INPUT: cannot read {INPUT}")
        return 2
    write(os.path.join(out, "hook", "sitecustomize.py"), HOOK)
    for name, text in PLAN.get("tools", {}).items():
        write(os.path.join(out, "tools", name), text)
    for name, kernel in asked:
        run_stage(stages[name], out, kernel)
    next_log = shlex.quote(os.path.join(out, "STAGE", "N.log"))
    say(f"\nAll logs are in {out}. Next: aoti-lint triage {next_log}")
    return 0


def say(text: str) -> None:
    """Print text with what a terminal or a CI service would obey written out; a line may be left empty before it."""
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text.lstrip("\n"))
    print("\n" * text.startswith("\n") + re.sub(r"#(?=#[\w.-]*\[)", r"\\x23", shown), flush=True)


def write(path: str, text: str) -> None:
    """Write a file, and the folder for it."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def run_stage(stage: Any, out: str, kernel: str) -> None:
    """Its steps, each in a process; what they write over is put back."""
    folder = os.path.join(out, stage["name"])
    os.makedirs(folder, exist_ok=True)
    say(f"\n== {stage['name']}: {stage['title']}")
    need = next((word for word in stage["needs"] if not is_there(word)), None)
    if need is not None:
        say(f"   left out: there is no {need}")
        return
    began = time.time()
    kept = keep(folder)
    try:
        for number, step in enumerate(stage["steps"], 1):
            new = [place for place in PLACES if not os.path.exists(place)]
            try:
                run_step(step, out, folder, number, kernel)
            except Missing as error:
                say(f"   left out: {error}")
            collect(folder, os.path.join(folder, f"{number}.log"), began)
            for place in new:
                if os.path.isdir(place) and not os.listdir(place):
                    os.rmdir(place)
    finally:
        put_back(kept, folder, began)


def collect(folder: str, log: str, began: float) -> None:
    """Move tensors that the debug printer has saved to the folder of the stage."""
    found = SAVED.findall(text_of(log)) if os.path.exists(log) else []
    for place in PLACES:
        for path in glob.glob(os.path.join(place, "*_launch_*.pt")):
            name = os.path.basename(path)
            if re.match("(aoti_torch)?(before|after)_launch_", name) and os.path.getmtime(path) >= int(began):
                found.append(path)
    for path in found:
        if os.path.exists(path):
            shutil.move(path, os.path.join(folder, os.path.basename(path)))


def run_step(step: Any, out: str, folder: str, number: int, kernel: str) -> None:
    """One process, with its log."""
    for word in step["needs"]:
        if not is_there(word):
            raise Missing(f"there is no {word}")

    def filled(text: str) -> str:
        return re.sub(r"\{(folder|kernel|guard|package|program|launcher|tools)\}", lambda found: what(found[1]), text)

    def what(hole: str) -> str:
        if hole == "tools":
            return os.path.join(out, "tools")
        return folder if hole == "folder" else kernel if hole == "kernel" and kernel else look_for(hole, out, folder)

    environment = {**os.environ, **{name: filled(value) for name, value in step["environment"].items()}}
    if step["environment"].get("LD_PRELOAD"):
        mine = os.environ.get("LD_PRELOAD")  # what the caller preloads stays
        ours = environment["LD_PRELOAD"].replace(out, plain(out))
        environment["LD_PRELOAD"] = f"{ours}:{mine}" if mine else ours
    cache = os.path.join(plain(out), "cache")
    environment |= {"TORCHINDUCTOR_CACHE_DIR": os.path.join(cache, "inductor"),
                    "TRITON_CACHE_DIR": os.path.join(cache, "triton")}  # fmt: skip
    if step["config"] or step["replace"]:
        others = [environment["PYTHONPATH"]] if environment.get("PYTHONPATH") else []
        environment["PYTHONPATH"] = os.pathsep.join([os.path.join(out, "hook"), *others])
        environment["AOTI_LINT_SETTINGS"] = json.dumps({"config": step["config"], "replace": step["replace"]})
    command = [filled(word) for word in step["command"]]
    said = [f"{name}={shlex.quote(environment[name])}" for name in step["environment"]]
    say(f"   $ {' '.join([*said, *map(shlex.quote, command)])}")
    for name, value in step["config"].items():
        say(f"     with {name} = {value!r}")
    for name, other in step["replace"].items():
        say(f"     with {name} = {other}")
    log = os.path.join(folder, f"{number}.log")
    start(command, environment, folder if step["inside"] else None, log)


@functools.cache
def plain(out: str) -> str:
    """`out` by a name without blanks: neither the compilers that torch calls nor LD_PRELOAD take one."""
    if os.name != "posix" or not re.search(r"\s", out):
        return out
    folder = tempfile.mkdtemp(prefix="rerun-")
    atexit.register(shutil.rmtree, folder, True)
    link = os.path.join(folder, "rerun")
    os.symlink(out, link)
    return link


def start(command: list[str], environment: dict[str, str], folder: Any, log: str) -> None:
    """Run a command, its output to a file and to the terminal."""
    command[0] = shutil.which(command[0]) or command[0]
    posix = os.name == "posix"
    with open(log, "wb") as file, open(INPUT, "rb") as given:
        try:
            process = subprocess.Popen(command, env=environment, cwd=folder, stdin=given, stdout=file,
                                       stderr=subprocess.STDOUT, start_new_session=posix)  # fmt: skip
        except OSError as error:
            raise Missing(f"{command[0]} does not start: {error}") from None
        how = ""
        try:
            process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            how = f"it was stopped after {LIMIT:g} seconds"
        finally:
            if process.poll() is None:
                end(process, posix)
    with open(log, "rb") as file:
        sys.stdout.write(file.read().decode("utf-8", "replace"))
    code = process.returncode
    how = how or ("it ended well" if code == 0 else f"it crashed with signal {-code}" if code < 0 else
                  f"it ended with code {code}")  # fmt: skip
    say(f"   {how}; log: {log}")


def end(process: Any, posix: bool) -> None:
    """First so that faulthandler shows where Python was, then for good, with all that it has started."""
    if posix:
        os.killpg(process.pid, signal.SIGABRT)
        time.sleep(2)
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except OSError:
            pass
    else:
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True, check=False)
    process.wait()


def is_there(word: str) -> bool:
    """Whether a program, or a GPU, is there."""
    return shutil.which("nvidia-smi" if word == "cuda" else word) is not None


def look_for(hole: str, out: str, folder: str) -> str:
    """What runs before have left behind."""
    if hole in ("kernel", "guard"):
        wanted = r"^\[ before_launch: (.*) \]" if hole == "kernel" else r'DEBUG_GUARD_ADDED="([^"]*)"'
        logs = sorted(glob.glob(os.path.join(out, "*", "*.log")), key=os.path.getmtime)
        found = [name for log in logs for name in re.findall(wanted, text_of(log), re.MULTILINE)]
        if not found:
            raise Missing(f"no run has named a {hole}")
        return str(found[-1] if hole == "kernel" else found[0])
    if hole == "package":
        files = [path for path in PLAN["packages"] if os.path.exists(path)]
    else:
        name = "minifier_launcher.py" if hole == "launcher" else "exported_program.pt2"
        files = glob.glob(os.path.join(folder, "**", name), recursive=True)
    if not files:
        raise Missing(f"there is no {hole}")
    return str(files[-1])


def text_of(path: str) -> str:
    """A log as text."""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def keep(folder: str) -> dict[str, str]:
    """Copies of the packages that may be written over."""
    kept = {}
    for number, path in enumerate(PLAN["packages"]):
        if os.path.exists(path):
            os.makedirs(os.path.join(folder, "before"), exist_ok=True)
            kept[path] = os.path.join(folder, "before", f"{number}-{os.path.basename(path)}")
            shutil.copy2(path, kept[path])
    return kept


def put_back(kept: dict[str, str], folder: str, began: float) -> None:
    """The packages as they were; what was made in their places goes into the folder of the stage."""
    for path in PLAN["packages"]:
        if not os.path.exists(path) or os.path.getmtime(path) >= began:
            if os.path.exists(path):
                os.makedirs(os.path.join(folder, "made"), exist_ok=True)
                shutil.move(path, os.path.join(folder, "made", os.path.basename(path)))
            if path in kept:
                shutil.copy2(kept[path], path)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
