"""Runs scripts of `tests/proof` in torch and keeps what they end with in `recorded.json`: evidence for `Cause.rules`.

    python -m tests.triage.record [WORD…]

A script is kept where what it prints has a cause, and that names a rule which the script is marked with. Of scripts
that show the same, the first; with words, scripts with one of them in their names are run, and the others stay.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.preloaded import Preloaded
from tests.proof.test_proof import OWN_PROCESS, SCRIPTS, TORCH
from tests.triage.evidence import PROOF, RECORDED, marked, sha, told

LINES = 80
"""Of what a script prints, the last."""


def _plain(text: str, folder: str) -> list[str]:
    """The last lines, with paths that are the same on every machine."""
    text = text.replace(folder, "/app").replace(str(PROOF.parents[1]), "/project")
    text = re.sub(r"[^\s\"']*/lib/python3\.\d+/", "/env/lib/python3.11/", text)
    return text.splitlines()[-LINES:]


def main(words: list[str]) -> int:
    """Run the scripts, and write what they show."""
    known = json.loads(RECORDED.read_text(encoding="utf-8")) if words and RECORDED.exists() else {}
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "TORCHINDUCTOR_CACHE_DIR": cache, "CUDA_VISIBLE_DEVICES": ""}
        server = Preloaded(TORCH, environment)
        for script in SCRIPTS:
            text = script.read_text(encoding="utf-8")
            wanted = not words or any(word in script.name for word in words)
            if "_bad" not in script.name or not wanted:
                continue
            with tempfile.TemporaryDirectory() as folder:
                logs = Path(tempfile.mkdtemp(dir=cache))
                own = Path(folder) / script.name
                own.write_text(text, encoding="utf-8")
                if OWN_PROCESS.search(text):
                    done = subprocess.run(
                        [sys.executable, str(own)],
                        cwd=folder,
                        env=environment,
                        capture_output=True,
                        text=True,
                        check=False,
                    )
                else:
                    done = server.run([str(own)], Path(folder), logs)
                lines = _plain(done.stderr, folder)
            shown = {pair for name, one in known.items() if name != script.name for pair in map(tuple, one["told"])}
            pairs = told(lines, marked(script)) - shown
            print(script.name, done.returncode, *sorted(pairs), flush=True)
            known.pop(script.name, None)
            if pairs:
                known[script.name] = {"sha": sha(script), "told": sorted(pairs), "said": lines}
                RECORDED.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        server.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
