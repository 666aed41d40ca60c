"""Written as `sitecustomize.py` beside a plan: sets what has no variable, in every Python process of a step.

`AOTI_LINT_SETTINGS` is JSON: `config` has settings by full name (`torch._inductor.config.pattern_matcher`), `replace`
has functions and the names of those that take their place. Both happen when the module has just been imported. Settings
of Inductor also win over what the script sets later, and over `mode`, `options` and `inductor_configs`. Needs nothing
but Python.
"""

import functools
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import sys
from types import ModuleType
from typing import Any

_WANTED: Any = json.loads(os.environ.get("AOTI_LINT_SETTINGS") or "{}")
_CONFIG, _REPLACE = _WANTED.get("config", {}), _WANTED.get("replace", {})


_INDUCTOR, _COMPILER = "torch._inductor.config", "torch._inductor.compile_fx"


def _module_of(name: str) -> tuple:  # type: ignore[type-arg]
    """`torch._inductor.config` of `torch._inductor.config.triton.cudagraphs`; the rest is the name in it."""
    head, dot, tail = name.partition(".config.")
    return (head + ".config", tail) if dot else tuple(name.rpartition(".")[::2])


def _named(name: str) -> Any:
    module, _, function = name.rpartition(".")
    return getattr(importlib.import_module(module), function)


def _change(module: ModuleType) -> None:
    for name, value in _of(module.__name__).items():
        try:
            setattr(module, name, value)
        except AttributeError as error:
            print("aoti-lint: not set:", error, file=sys.stderr)
    for name, other in _REPLACE.items():
        if _module_of(name)[0] == module.__name__:
            setattr(module, _module_of(name)[1], _named(other))


def _of(module: str) -> Any:
    """The settings of a module."""
    return {_module_of(name)[1]: value for name, value in _CONFIG.items() if _module_of(name)[0] == module}


def _force(module: ModuleType) -> None:
    """`torch._inductor.compile_fx`: every way into the compiler goes through it, and it calls itself for patches."""
    original: Any = module.compile_fx
    config: Any = sys.modules[_INDUCTOR]
    wanted = {name: value for name, value in _of(_INDUCTOR).items() if hasattr(config, name)}

    @functools.wraps(original)
    def compile_fx(*args: Any, **kwargs: Any) -> Any:
        now = kwargs.get("config_patches") or {}
        if any(now.get(name, getattr(config, name)) != value for name, value in wanted.items()):
            kwargs["config_patches"] = {**now, **wanted}
        return original(*args, **kwargs)

    module.compile_fx = compile_fx  # type: ignore[attr-defined]


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, names: set) -> None:  # type: ignore[type-arg]
        self.names = names

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name not in self.names:
            return None
        self.names.discard(name)
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            return None
        run = spec.loader.exec_module

        def exec_module(module: ModuleType) -> None:
            run(module)
            _change(module)
            if module.__name__ == _COMPILER:
                _force(module)

        spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


def _hand_on() -> None:
    """Run the `sitecustomize` that this one stands before."""
    here = os.path.dirname(os.path.abspath(__file__))
    spec = importlib.machinery.PathFinder.find_spec(
        "sitecustomize", [path for path in sys.path if os.path.abspath(path) != here]
    )
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


_watched = {_module_of(name)[0] for name in (*_CONFIG, *_REPLACE)}
sys.meta_path.insert(0, _Finder(_watched | ({_COMPILER} if _INDUCTOR in _watched else set())))
_hand_on()
