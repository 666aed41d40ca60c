"""A command that does what none may do, by name: what it does is what the tests see noticed."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
import time
from pathlib import Path

_told: list[str] = []


def main(words: list[str]) -> int:
    """Do the wrong that the first word names."""
    match words[0]:
        case "raises":
            raise RuntimeError("here")
        case "spins":
            while True:
                pass
        case "waits":
            time.sleep(1000)
        case "crashes":
            os.abort()
        case "allocates":
            len(b"x" * (1100 << 20))
        case "exits with 3":
            return 3
        case "writes":
            Path("script.py").write_text("gone")
        case "renames away":
            os.rename("script.py", words[1])
        case "writes where it may":
            Path(words[1]).write_text("report")
        case "starts":
            subprocess.run([sys.executable, "-c", ""], check=True)
        case "runs the tree":
            runpy.run_path(os.path.abspath("script.py"))
        case "remembers":
            _told.append("once more")
            print(_told)
        case "is hashed":
            print({f"word {number}" for number in range(50)})
        case "prints":
            print(words[3])
    return 0
