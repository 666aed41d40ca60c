"""Starts `aoti_lint.rerun.inside` in a Python process of a rerun, then hands on to the user's own sitecustomize."""

import os
import sys


def _start(folder: str) -> None:
    task = os.environ.get("AOTI_LINT_RERUN")
    if not task:
        return
    import importlib.util

    init = os.path.join(folder, "__init__.py")
    spec = importlib.util.spec_from_file_location("_aoti_lint_inside", init, submodule_search_locations=[folder])
    assert spec is not None
    assert spec.loader is not None
    package = sys.modules["_aoti_lint_inside"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(package)
    importlib.import_module("_aoti_lint_inside.active").start(task)


def _hand_on() -> None:
    for finder in sys.meta_path:
        spec = finder.find_spec("sitecustomize", None) if hasattr(finder, "find_spec") else None
        if spec is not None and spec.loader is not None:
            import importlib.util

            module = sys.modules["sitecustomize"] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return


_HERE = os.path.dirname(os.path.abspath(__file__))
# Processes that this one starts find it through PYTHONPATH again; the user's program shall not see it.
sys.path[:] = [path for path in sys.path if os.path.abspath(path or ".") != _HERE]
try:
    _start(os.path.dirname(_HERE))
except Exception as error:
    print(f"aoti-lint rerun: not active in this process: {type(error).__name__}: {error}", file=sys.stderr)
if __name__ == "sitecustomize":
    _hand_on()
