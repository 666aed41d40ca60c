"""Run in a process of its own: what the installed torch says of names and signatures, as JSON on standard output.

Standard input is `{"names": {module or class: [name, …]}, "signatures": [name, …]}`.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import io
import json
import re
import sys
import typing
import warnings
from typing import Any

MISSING = object()


def walk(qualified: str) -> Any:
    """The object of a dotted name; submodules are imported where they are no attributes yet.

    A package may have a function of the name of the submodule it is from: what follows it is then of the submodule.
    """
    first, *rest = qualified.split(".")
    found: Any = importlib.import_module(first)
    for count, part in enumerate(rest, 1):
        module = sys.modules.get(".".join([first, *rest[:count]]))
        if count < len(rest) and module is not None and inspect.isfunction(getattr(found, part, None)):
            found = module
            continue
        if not hasattr(found, part):
            try:
                found = importlib.import_module(".".join([first, *rest[:count]]))
                continue
            except ImportError:
                return MISSING
        found = getattr(found, part)
    return found


def owner_of_names(qualified: str) -> Any:
    try:
        return importlib.import_module(qualified)
    except ModuleNotFoundError as error:
        # Another package that it needs is not installed.
        return MISSING if (error.name or "torch").startswith("torch") else None
    except ImportError:
        return None


def there(owner: Any, name: str, qualified: str) -> bool:
    if hasattr(owner, name):
        return True
    if inspect.ismodule(owner):
        try:
            importlib.import_module(f"{qualified}.{name}")
        except ModuleNotFoundError as error:
            return not (error.name or "torch").startswith("torch")
        except ImportError:
            return True
        return True
    # Attributes that only the instances have.
    text = inspect.getsource(sys.modules[owner.__module__])
    return bool(re.search(rf"\.{re.escape(name)}\b[^=\n]*=|object\.__setattr__\([^)]*{re.escape(name)}", text))


def parameters(made: inspect.Signature, *, bound: bool) -> list[tuple[str, int, bool]]:
    listed = [(p.name, int(p.kind), p.default is not p.empty) for p in made.parameters.values()]
    return listed[1:] if bound and listed and listed[0][1] < 2 else listed


def signature(qualified: str) -> list[list[tuple[str, int, bool]]] | None:
    """What a function takes: by itself, and by what it wraps; None where torch does not say."""
    found = walk(qualified)
    cls = walk(qualified.rpartition(".")[0])
    static = inspect.isclass(cls) and isinstance(
        inspect.getattr_static(cls, qualified.rpartition(".")[2], None), (staticmethod, classmethod)
    )
    bound = inspect.isclass(cls) and not static
    try:
        whole = inspect.signature(found)
    except (TypeError, ValueError):
        return None
    if inspect.isclass(found) and any(p.kind == p.VAR_POSITIONAL for p in whole.parameters.values()):
        # It says in overloads what it takes (`torch.nn.LSTM`).
        overloads: list[Any] = getattr(typing, "get_overloads", lambda _: [])(found.__init__)  # since Python 3.11
        if overloads:
            return [parameters(inspect.signature(overloads[0]), bound=True)]
    try:
        outside = inspect.signature(found, follow_wrapped=False)
    except ValueError:  # `lru_cache` hands on what it is given
        outside = whole
    return [parameters(whole, bound=bound), parameters(outside, bound=bound)]


def main() -> None:
    asked = json.load(sys.stdin)
    missing, signatures, skipped = [], {}, []
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        for name in asked["signatures"]:
            signatures[name] = signature(name)
        for qualified, names in asked["names"].items():
            owner = owner_of_names(qualified)
            if owner is MISSING:
                owner = walk(qualified)
            if owner is None:
                skipped.append(qualified)
                continue
            missing += [f"{qualified}.{name}" for name in names
                        if owner is MISSING or not there(owner, name, qualified)]  # fmt: skip
    json.dump({"missing": missing, "signatures": signatures, "skipped": skipped}, sys.stdout)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
