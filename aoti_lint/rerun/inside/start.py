"""Runs `SCRIPT args`, `-m MODULE args` or `-c CODE args`, watched, under a Python that ignores PYTHONPATH.

`python -I start.py - script.py args`, as `aoti_lint.rerun.plan.commands` writes it.
"""

import os
import runpy
import sys


def _main() -> None:
    here = os.path.dirname(os.path.abspath(__file__))
    kind, name, *args = sys.argv[1:]
    safe = sys.flags.isolated or getattr(sys.flags, "safe_path", False)
    if not safe:
        sys.path.pop(0)
    runpy.run_path(os.path.join(here, "site", "sitecustomize.py"))
    if not safe:
        sys.path.insert(0, "" if kind == "-c" else os.getcwd() if kind == "-m" else _folder(name))
    sys.argv[:] = ["-c" if kind == "-c" else name, *args]
    main = sys.modules["__main__"]
    if kind == "-m":
        runpy.run_module(name, run_name="__main__", alter_sys=True)
    elif kind == "-c":
        del main.__file__
        exec(compile(name, "<string>", "exec"), main.__dict__)
    elif os.path.isfile(name) and name.endswith(".py"):
        # In the real __main__: what the script pickles, or starts in processes of its own, is found again.
        main.__file__ = name
        with open(name, "rb") as file:
            code = compile(file.read(), name, "exec")
        exec(code, main.__dict__)
    else:
        runpy.run_path(name, run_name="__main__")


def _folder(script: str) -> str:
    return os.path.realpath(script) if os.path.isdir(script) else os.path.dirname(os.path.realpath(script))


if __name__ == "__main__":
    _main()
