"""Runs the planted faults that need a GPU, one `aoti-lint rerun` each, and writes what was found to `recorded.json`.

By hand, on a machine with a CUDA device and compute-sanitizer: `python tests/rerun/gpu/record.py`. All run at once,
each in a process, folder and caches of its own. `--logs FILE` keeps reports and logs in a `.tar.gz`.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import importlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2]))
from tests.proof.gpu.record import compiler, plain  # noqa: E402

KEPT = (".txt", ".json", ".jsonl", ".html", ".py", ".cpp", ".log", ".sh")
"""Endings of files that may explain what was found."""
LABELS: dict[str, dict[str, Any]] = json.loads((HERE / "labels.json").read_text(encoding="utf-8"))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--output", type=Path, default=HERE / "recorded.json")
    parser.add_argument("--logs", type=Path, help="an archive to write reports and logs to")
    parser.add_argument("--work", type=Path, help="the folder to work in; else a temporary one")
    parser.add_argument("names", nargs="*", help="run only scripts whose name holds one of these; the rest stays")
    options = parser.parse_args()

    torch = importlib.import_module("torch")
    if not torch.cuda.is_available():
        parser.error("there is no CUDA device")
    about = {
        "torch": torch.__version__,
        "gpu": torch.cuda.get_device_name(0),
        "python": platform.python_version(),
        "date": datetime.date.today().isoformat(),
        "how": "python tests/rerun/gpu/record.py",
    }
    scripts = [name for name in LABELS if not options.names or any(part in name for part in options.names)]
    known = json.loads(options.output.read_text(encoding="utf-8"))["scripts"] if options.output.exists() else {}
    with tempfile.TemporaryDirectory(prefix="faults_") as folder:
        work = options.work or Path(folder)
        work.mkdir(parents=True, exist_ok=True)
        env = {**os.environ, **compiler(work)}
        with ThreadPoolExecutor(len(scripts)) as pool:
            tasks = {pool.submit(ran, name, work, env): name for name in scripts}
            for task in as_completed(tasks):
                # At once: the machine may be taken away.
                known[tasks[task]] = task.result()
                made = {**about, "scripts": dict(sorted(known.items()))}
                options.output.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        if options.logs:
            keep(work, options.logs)
    return 0


def ran(script: str, work: Path, env: dict[str, str]) -> dict[str, Any]:
    """What the script does alone, what one command says of it, and what the written repro of the culprit does."""
    folder = work / script.removesuffix(".py")
    folder.mkdir()
    shutil.copy(HERE / "faults" / script, folder)
    own = {**env, "TORCHINDUCTOR_CACHE_DIR": str(folder / "cache"), "TORCH_EXTENSIONS_DIR": str(folder / "extensions")}
    alone = run([sys.executable, script], folder, own)
    command = [
        sys.executable, "-m", "aoti_lint", "rerun", script, "--symptom", LABELS[script]["symptom"], "--execute",
        "--yes", "--keep", "work", "--output-format", "json",
    ]  # fmt: skip
    done = run(command, folder, own)
    (folder / "stderr.txt").write_text(done.stderr, encoding="utf-8")
    found: dict[str, Any] = {
        "sha": hashlib.sha256((HERE / "faults" / script).read_bytes()).hexdigest()[:16],
        "alone": {"rc": alone.returncode, "says": last(alone.stderr)},
        "rc": done.returncode,
    }
    try:
        report = json.loads(done.stdout)
    except ValueError:
        print(script, done.stdout[-2000:], done.stderr[-2000:], flush=True)
        return {**found, "says": last(done.stderr)}
    found |= {
        "found": report["found"],
        "culprits": [culprit(one) for one in report["culprits"]],
        "tried": {one["stage"]: [plain(line) for line in one["shows"]] for one in report["tried"]},
        "runs": sum(len(one["ran"]) for one in report["tried"]),
        "seconds": round(sum(each["seconds"] for one in report["tried"] for each in one["ran"])),
        "notes": [plain(note) for note in report["notes"]],
    }
    if report["repro"]:
        repro = run([sys.executable, report["repro"]], folder / "work", own)
        found["repro"] = {"rc": repro.returncode, "says": [plain(line) for line in repro.stdout.splitlines()[-3:]]}
        found["repro"]["error"] = last(repro.stderr)
    print(script, json.dumps(found, indent=1, ensure_ascii=False), flush=True)
    return found


def run(command: list[str], folder: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """One process; its time is limited."""
    try:
        return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=1500, check=False)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, -1, "", "it took too long")


def culprit(one: dict[str, Any]) -> dict[str, Any]:
    """Of a culprit, what a label is about."""
    places = [one["place"], *((one["launch"] or {}).get("places", ()))]
    return {
        "kind": one["kind"],
        "name": one["name"],
        "sure": one["sure"],
        "what": plain(one["what"]),
        "lines": list(dict.fromkeys(place["text"] for place in places if place is not None)),
    }


def last(text: str) -> str:
    """The last line that says something."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return plain(lines[-1]) if lines else ""


def keep(work: Path, archive: Path) -> None:
    """Write everything small that may explain what was found."""
    with tarfile.open(archive, "w:gz") as tar:
        for path in sorted(work.rglob("*")):
            made = {"cache", "caches", "extensions"} & set(path.parts)
            if path.suffix in KEPT and not made and path.is_file() and path.stat().st_size < 1 << 20:
                tar.add(path, path.relative_to(work))


if __name__ == "__main__":
    sys.exit(main())
