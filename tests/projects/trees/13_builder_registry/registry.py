from typing import Callable, Dict

BUILDERS: Dict[str, Callable] = {}


def register(name: str):
    def wrap(builder):
        if name in BUILDERS:
            raise KeyError(f"{name} registered twice")
        BUILDERS[name] = builder
        return builder

    return wrap


def available():
    return sorted(BUILDERS)
