"""Reads the archives named on standard input, one a line, and says how each ended. Nothing may be written meanwhile.

Run by `test_hostile` in a process of its own, with little memory.
"""

from __future__ import annotations

import io
import resource
import sys
import time

from aoti_lint.program.errors import Unreadable
from aoti_lint.program.read import read
from aoti_lint.report.commands.inspection import print_archive
from aoti_lint.report.output import Output

MEMORY = 3 << 30


def _forbid(event: str, arguments: tuple[object, ...]) -> None:
    writes = event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+")
    if (
        writes
        or event.split(".")[0] in ("subprocess", "socket", "shutil")
        or event in ("os.remove", "os.mkdir", "os.rename", "os.system")
    ):
        raise AssertionError(f"{event} {arguments}")


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    paths = sys.stdin.read().splitlines()
    sys.addaudithook(_forbid)
    for path in paths:
        start = time.process_time()
        try:
            archive = read(path)
            printed = io.StringIO()
            print_archive(Output(None, printed), archive)
            ended = ("\x1b" in printed.getvalue() and "escape printed") or ("parts" if archive.problems else "read")
        except Unreadable as error:
            ended = "refused" if str(error) and len(str(error)) < 1000 else "refused without words"
        print(f"{path}\t{ended}\t{time.process_time() - start:.1f}", flush=True)


if __name__ == "__main__":
    main()
