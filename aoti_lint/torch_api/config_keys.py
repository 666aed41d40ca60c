"""Which names in a config module are settings: those that reading or writing them does not raise for.

A config module (`torch._inductor.config` …) has no other attributes than its settings, the classes that group them,
what its source defines, and the methods of `ConfigModule` (`torch/utils/_config_module.py` of all releases).
"""

from __future__ import annotations

from functools import cache

from aoti_lint.torch_api import api, settings
from aoti_lint.torch_api.versions import VersionSet

METHODS = frozenset(
    {"codegen_config", "get_config_copy", "get_hash", "get_serializable_config_copy", "get_type", "load_config",
     "patch", "resolve_type", "save_config", "save_config_portable", "shallow_copy_dict", "to_dict"}
)  # fmt: skip
MARKS = (".config.", "._config.", ".config_comms.")
"""What a name in a config module holds: asking this first spares reading the data."""


def split(qualified: str) -> tuple[str, str] | None:
    """The config module and the dotted rest of a qualified name; None where it is in none."""
    if not any(mark in qualified for mark in MARKS):
        return None
    module = next((one for one in settings.config_modules() if qualified.startswith(f"{one}.")), None)
    return None if module is None else (module, qualified[len(module) + 1 :])


@cache
def groups(module: str) -> dict[str, VersionSet]:
    """The classes that group settings, such as `triton` in `triton.cudagraphs`, with the minors that have them."""
    found: dict[str, VersionSet] = {}
    for key in settings.all_keys(module):
        group = key
        while "." in group:
            group = group.rpartition(".")[0]
            found[group] = found.get(group, VersionSet()) | settings.key_versions(module, key)
    return found


def presence(qualified: str) -> VersionSet | None:
    """The minors in which reading the name does not raise; None where that is not known."""
    parts = split(qualified)
    if parts is None:
        return None
    module, key = parts
    owner, _, last = key.rpartition(".")
    if last.startswith("_") or last in METHODS or (owner and owner not in groups(module)):
        return None
    there = settings.key_versions(module, key) | groups(module).get(key, VersionSet()) | api.recorded(qualified)
    return there if there or owner or api.is_module(module) else None  # what else it defines is not known
