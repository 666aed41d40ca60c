"""Shows that the rewrites keep the meaning of a script, by running some. By hand, with torch: `python -m
tests.metamorphic.prove`.

For each rewrite a few scripts are chosen (always the same ones), and each is run as it was and as it is rewritten,
really compiled and all. Both must end alike: same exit code, same last line of an exception, same printed text once
random numbers, paths and addresses are taken out. What was run goes to `proved.json`, with the hash of the rewritten
files.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.metamorphic.rewrites import REWRITES

HERE = Path(__file__).parent
PROVED = HERE / "proved.json"
TRUTH = HERE.parent / "truth"
PLAIN, COMPILED = 6, 2
"""Scripts a rewrite is tried on: without and with a compile, which takes half a minute."""
UNFIT = re.compile(r"^(223|228|229|412|415|431|6\d\d)_")
"""Too slow, or ends in a crash whose text differs from run to run."""


@dataclass(frozen=True)
class End:
    """How a script ended."""

    rc: int
    last: str
    printed: str


def chosen() -> dict[str, list[str]]:
    """The scripts each rewrite is tried on."""
    texts = {path.name: path.read_text() for path in (TRUTH / "scripts").glob("*.py") if not UNFIT.match(path.name)}
    found = {}
    for name, rewrite in REWRITES.items():
        order = sorted(texts, key=lambda script: hashlib.sha256(f"{name}{script}".encode()).hexdigest())
        fit = [script for script in order if rewrite(texts[script]) is not None]
        compiled = [script for script in fit if "aot_compile(" in texts[script] or "aoti_compile" in texts[script]]
        plain = [script for script in fit if script not in compiled]
        # some rewrites fit hardly any script without a compile
        found[name] = [*plain[:PLAIN], *compiled[: max(COMPILED, PLAIN - len(plain))]]
    return found


def digest(files: Mapping[str, str]) -> str:
    return hashlib.sha256(json.dumps(sorted(files.items())).encode()).hexdigest()[:16]


def run(files: Mapping[str, str], env: Mapping[str, str], cache: str) -> End:
    """Run `script.py` of the files in an own folder."""
    with tempfile.TemporaryDirectory(prefix="prove_") as folder:
        for name, text in files.items():
            Path(folder, name).write_text(text)
        done = subprocess.run(
            [sys.executable, "script.py"],
            cwd=folder,
            env={**os.environ, "TORCHINDUCTOR_CACHE_DIR": cache, **env},
            capture_output=True,
            text=True,
            timeout=600,
        )
    errors = [
        line for line in done.stderr.splitlines() if re.match(r"[\w.]*(Error|Exception|Exit|NotFound|Node)\b", line)
    ]
    return End(done.returncode, _plain(errors[-1] if errors else ""), _plain(done.stdout))


def _plain(text: str) -> str:
    """The text without what differs from run to run."""
    text = re.sub(r"/[\w./-]+(:\d+)?", "<path>", text)
    text = re.sub(r"0x[0-9a-f]+", "<address>", text)
    text = re.sub(r"\bzuf\d+(, zuf\d+)*", "zuf", text)
    # printed tensors are wrapped by the width of their numbers
    text = re.sub(r"-?\d+\.\d*(e[-+]?\d+)?|\bnan\b", "<number>", text)
    return re.sub(r"\s+", " ", text)[:4000]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rewrites", nargs="*", help="prove only these again")
    wanted = parser.parse_args().rewrites or list(REWRITES)

    import torch

    labels = json.loads((TRUTH / "labels.json").read_text())
    known = json.loads(PROVED.read_text())["runs"] if PROVED.exists() else []
    runs = [item for item in known if item["rewrite"] not in wanted]
    before: dict[str, End] = {}
    failed = 0
    with tempfile.TemporaryDirectory(prefix="prove_cache_") as cache:
        for name in wanted:
            for script in chosen()[name]:
                text = (TRUTH / "scripts" / script).read_text()
                files = REWRITES[name](text)
                assert files is not None
                env = labels[script].get("env", {})
                if script not in before:
                    before[script] = run({"script.py": text}, env, cache)
                after = run(files, env, cache)
                same = after == before[script]
                failed += not same
                end = {"rc": after.rc, "last": after.last[:160]}
                runs.append({"rewrite": name, "script": script, "sha": digest(files), "same": same, **end})
                print(f"{'same' if same else 'DIFFERS'} {name} {script}", flush=True)
                if not same:
                    print(json.dumps([asdict(before[script]), asdict(after)], indent=1))
    about = {
        "torch": torch.__version__,
        "python": platform.python_version(),
        "date": datetime.date.today().isoformat(),
        "how": "python -m tests.metamorphic.prove",
    }
    lines = ",\n".join(f"  {json.dumps(item)}" for item in runs)
    head = json.dumps(about, indent=1).removesuffix("\n}")
    PROVED.write_text(f'{head},\n "runs": [\n{lines}\n ]\n}}\n')
    print(f"{len(runs)} runs, {failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
