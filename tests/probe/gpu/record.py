"""Runs `aoti-lint probe` on the operators of `ops.py`, which have kernels for CUDA alone, and writes what it says to
`recorded.json`. By hand, on a machine with a CUDA device: `python tests/probe/gpu/record.py`.
"""

from __future__ import annotations

import datetime
import hashlib
import importlib
import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> int:
    torch = importlib.import_module("torch")
    command = [sys.executable, "-m", "aoti_lint", "probe", str(HERE / "ops.py"), "--output-format", "json"]
    done = subprocess.run(command, cwd=HERE.parents[2], capture_output=True, text=True, timeout=900, check=False)
    print(done.stdout, done.stderr)
    report = json.loads(done.stdout)
    made = {
        "torch": torch.__version__,
        "gpu": torch.cuda.get_device_name(0),
        "date": datetime.date.today().isoformat(),
        "how": "python tests/probe/gpu/record.py",
        "sha": hashlib.sha256((HERE / "ops.py").read_bytes()).hexdigest()[:16],
        "rc": done.returncode,
        "ops": {
            op["name"]: {
                "status": op["status"],
                "error": op["error"],
                "compared": op["compared"],
                "kernel": op["kernel"],
                "inputs": op["inputs"],
                "rules": [finding["rule"] for finding in op["findings"]],
                "texts": [finding["text"] for finding in op["findings"]],
            }
            for op in report["ops"]
        },
    }
    (HERE / "recorded.json").write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
