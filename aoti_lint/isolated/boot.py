"""How a child process of ours begins: it knows this very aoti_lint, and imports nothing from the current folder."""

from __future__ import annotations

import os

from aoti_lint.isolated.safe_path import safe

_PACKAGE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "__init__.py")
_OPEN = """
import sys
sys.path[:] = filter(None, sys.path)
import importlib, importlib.util
spec = importlib.util.spec_from_file_location("aoti_lint", sys.argv[1])
sys.modules["aoti_lint"] = module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
sys.exit(importlib.import_module(sys.argv[2]).main())
"""


def opening(python: str, serves: str, environment: dict[str, str]) -> list[str]:
    """The command of a process that runs code of the user, and takes `PYTHONPATH` out of its `environment` for it.

    What is imported before that code comes from the environment of `python`. When it is time, `serving.serve` makes
    the import path what the user would have, which its last argument says.
    """
    given = environment.pop("PYTHONPATH", "")
    kept = safe(given.split(os.pathsep))
    if kept:
        environment["PYTHONPATH"] = os.pathsep.join(kept)
    return [python, "-c", _OPEN, _PACKAGE, serves, given]
