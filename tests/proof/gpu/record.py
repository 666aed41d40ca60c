"""Runs the scripts that need a GPU and writes what happened to `recorded.json`. By hand: `python
tests/proof/gpu/record.py`.

Needs nothing but torch and a CUDA device, two for the scripts named `second_gpu` and `two_gpus`. Each script runs in a
process and folder of its own, one after the other.
If `CXX` links libstdc++ statically, compiled packages crash while they are loaded (`std::regex` in two copies), so
when `CXX` is set the compiler is called through a wrapper that links the system's libstdc++.so.6.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import importlib
import json
import os
import platform
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
WRAPPER = """\
#!/bin/sh
link=no
for word in "$@"; do
  case "$word" in
    -shared) link=yes ;;
    -c) link=no; break ;;
  esac
done
if [ "$link" = yes ]; then
  exec {real} -nostdlib++ "$@" -L{folder} -l:libstdc++.so.6
fi
exec {real} "$@"
"""


def libstdcxx() -> Path:
    """The folder of the system's libstdc++.so.6; raises FileNotFoundError."""
    known = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, check=False).stdout
    for path in re.findall(r"libstdc\+\+\.so\.6 .*=> (\S+)", known):
        return Path(path).parent
    for folder in ("/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"):
        if Path(folder, "libstdc++.so.6").exists():
            return Path(folder)
    raise FileNotFoundError("libstdc++.so.6")


def compiler(folder: Path) -> dict[str, str]:
    """The environment that makes torch use a wrapper of `CXX`; empty if `CXX` is not set."""
    real = os.environ.get("CXX")
    if not real:
        return {}
    wrapper = folder / "cxx"
    wrapper.write_text(WRAPPER.format(real=real, folder=shlex.quote(str(libstdcxx()))))
    wrapper.chmod(0o755)
    return {"CXX": str(wrapper)}


def run(script: Path, env: dict[str, str]) -> dict[str, Any]:
    """Run one script; gives its exit code, what it printed and the last lines of what went wrong."""
    with tempfile.TemporaryDirectory(prefix="gpu_") as folder:
        done = subprocess.run(
            [sys.executable, str(script)], cwd=folder, env=env, capture_output=True, text=True, timeout=400, check=False
        )
    lines = [line.strip() for line in done.stderr.splitlines()]
    errors = [
        plain(line)
        for line in lines
        if re.search(r"^[\w.]*(Error|Exception)\b|Error: |CUDA error|API call failed", line)
    ]
    return {
        "sha": hashlib.sha256(script.read_bytes()).hexdigest()[:16],
        "rc": done.returncode,
        "printed": [plain(line) for line in done.stdout.splitlines()[-4:]],
        "errors": errors[-6:],
    }


def plain(line: str) -> str:
    """A line without paths of the machine."""
    return re.sub(r"/(?:[\w.+-]+/)+", "…/", line)[:600]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--output", type=Path, default=HERE / "recorded.json")
    parser.add_argument("--scripts", type=Path, default=HERE / "scripts", help="the folder with the scripts")
    parser.add_argument("names", nargs="*", help="run only scripts whose name holds one of these; the rest stays")
    options = parser.parse_args()

    torch = importlib.import_module("torch")
    if not torch.cuda.is_available():
        parser.error("there is no CUDA device")
    about = {
        "torch": torch.__version__,
        "gpu": torch.cuda.get_device_name(0),
        "gpus": torch.cuda.device_count(),
        "python": platform.python_version(),
        "date": datetime.date.today().isoformat(),
        "how": " ".join(["python", "tests/proof/gpu/record.py", *sys.argv[1:]]),
    }
    found = {}
    with tempfile.TemporaryDirectory(prefix="gpu_work_") as folder:
        env = {**os.environ, "TORCHINDUCTOR_CACHE_DIR": str(Path(folder, "cache")), **compiler(Path(folder))}
        for script in sorted(options.scripts.resolve().glob("*.py")):
            if options.names and not any(name in script.name for name in options.names):
                continue
            found[script.name] = run(script, env)
            print(script.name, json.dumps(found[script.name], indent=1, ensure_ascii=False), flush=True)
    if options.names and options.output.exists():
        found = {**json.loads(options.output.read_text(encoding="utf-8"))["scripts"], **found}
    made = {**about, "scripts": dict(sorted(found.items()))}
    options.output.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
