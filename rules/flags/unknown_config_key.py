"""AOTI510."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import (
    MINORS,
    SUPPORTED,
    Confidence,
    Diagnostic,
    Facts,
    Outcome,
    Rule,
    Span,
    VersionSet,
    catches,
    dataclass,
)
from aoti_lint.rule.events import ApiUse, ConfigWrite, Event
from aoti_lint.rule.torch import config_keys, settings

from ._compile import COMPILE
from ._written import written_settings

_TAKEN = {
    "options": {
        "guard_filter_fn": VersionSet.since("2.8"),
        "use_aoti": VersionSet.since("2.10"),
    },
    "aot": {"extern_node_serializer": SUPPORTED, "fx_wrapper": VersionSet.since("2.9")},
}
"""What torch takes out of the dict before it looks at the settings in it: `torch.compile` (`torch/__init__.py` of the
releases) and the functions of AOTInductor (`_inductor/compile_fx.py`)."""
_NAMESPACES = VersionSet.since("2.15")
"""Releases whose `torch.compile` asks installed backends of other devices for keys such as `npu.key` (2.15.0
`_inductor/codegen/common.py`, `get_compile_option_owner`)."""

_OPTIONS = ("default", "option", "choice")
"""The kinds of questions that a command line answers."""
_OF_SETTINGS = "_config_module"
"""The module of torch (`torch.utils`) whose classes hold settings."""


class UnknownConfigKey(Rule):
    """A setting is read or written that the config module of the target torch does not have.

    What happens:
        Where the line runs (for `patch`: where its context is entered), or for `inductor_configs` and `options` of
        AOTInductor at compile:

            AttributeError: torch._inductor.config.max_autotunee does not exist

        `torch.compile(options=...)` raises at its call, with a list of a screen or two:

            RuntimeError: Unexpected optimization option max_autotunee, known options are ['inplace_padding', …]

    Why:
        The settings come and go from release to release, and lie in groups: it is `triton.cudagraphs`, not
        `cudagraphs`. In `options` of `torch.compile` a dash counts as an underscore; nowhere else does it.

        It is an error when all target versions lack the setting, and a warning that names the versions when some do.
        Where nobody says which torch the code is for, a setting that no release has is a warning, unless another has
        almost its name: an older torch may have had it.
        A setting that is asked for first (`hasattr`, a version test) or whose absence is handled is not reported.

    Bad:
        import torch
        import torch._inductor.config as config

        config.max_autotunee = True  # <- AOTI510
        program = torch.export.export(torch.nn.Linear(8, 4), (torch.ones(2, 8),))
        torch._inductor.aoti_compile_and_package(
            program,
            inductor_configs={"max-autotune": True},  # <- AOTI510
        )

    Bad:
        import torch

        model = torch.compile(torch.nn.Linear(8, 4), options={"cudagraphs": True})  # <- AOTI510
        with torch._inductor.config.patch(trace_enabled=True):  # <- AOTI510
            model(torch.ones(2, 8))

    Good:
        import torch
        import torch._inductor.config as config

        config.max_autotune = True
        if hasattr(config, "max_autotunee"):
            config.max_autotunee = True
        model = torch.compile(torch.nn.Linear(8, 4), options={"triton.cudagraphs": True, "max-autotune": True})
        program = torch.export.export(torch.nn.Linear(8, 4), (torch.ones(2, 8),))
        with config.patch({"trace.enabled": True}):
            torch._inductor.aoti_compile_and_package(program, inductor_configs={"max_autotune": True})

    How to debug:
        `python -c "import torch; print(torch._inductor.list_options())"` prints the settings of the installed torch.

    Sources:
        The config modules of the releases 2.4.1 to 2.15.0; the messages of
        torch 2.13.0 and 2.4.1 (where `patch` raises KeyError), run.
    """

    code = "AOTI510"
    name = "unknown-config-key"
    of_releases = True

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for use in _uses(facts):
            if _is_added(facts, use.key):
                continue
            whole = use.failing == facts.versions_for(use.event.root)
            sure = Confidence.CERTAIN if use.sure or not use.there else Confidence.POSSIBLE
            if not (use.there or facts.stated_for(use.event.root) or _near(use)):
                sure = Confidence.LIKELY  # An older torch may have had it.
            yield self.found(
                facts,
                use.event,
                sure,
                _message(use),
                failing=use.failing,
                outcome=Outcome.RAISES_AT_COMPILE if use.at_compile else Outcome.RAISES,
                label="no such setting" if whole else f"not in torch {_span(use.failing)}",
                help=_help(use),
            )


@dataclass(slots=True)
class _Use:
    """One place that reads or writes a setting, with the versions in which that fails, over all ways that lead there.

    `sure` is whether one of these ways depends on nothing unknown, such as a helper that may ask for the version.
    """

    event: Event
    module: str
    key: str
    there: VersionSet
    failing: VersionSet
    at_compile: bool = False
    sure: bool = False


def _uses(facts: Facts) -> list[_Use]:
    uses: dict[tuple[Span, str], _Use] = {}
    for event in (*facts.of(ApiUse, ConfigWrite), *written_settings(facts)):
        found = (
            _read(event) if isinstance(event, ApiUse) else _written(event) if isinstance(event, ConfigWrite) else None
        )
        if found is None or not found.failing or _is_asked_for(found.key, event):
            continue
        use = uses.setdefault((event.span, f"{found.module}.{found.key}"), found)
        use.failing |= found.failing
        use.sure |= not any(condition.kind == "unknown" for condition in event.path)
    return list(uses.values())


def _is_asked_for(key: str, event: Event) -> bool:
    """Whether a condition of the path speaks of the key, such as `"x" in known_settings`.

    An option of the command line may have the name of the setting that it turns on.
    """
    asked = (condition for condition in event.path if condition.kind not in _OPTIONS)
    return any(key in str(word) for condition in asked for word in _words(condition.key))


def _is_added(facts: Facts, key: str) -> bool:
    """Whether a file of the project names a setting beside the classes that torch makes its settings of.

    What stands for another device adds some of its own to `torch._inductor.config` (run on torch 2.13).
    """
    return not set(facts.project.mentions(_OF_SETTINGS).files).isdisjoint(facts.project.mentions(key).files)


def _words(key: object) -> Iterator[object]:
    if isinstance(key, tuple):
        for part in key:
            yield from _words(part)
    else:
        yield getattr(key, "value", key)


def _read(event: ApiUse) -> _Use | None:
    parts = config_keys.split(event.name)
    there = config_keys.presence(event.name) if parts is not None and not event.guarded else None
    if parts is None or there is None:
        return None
    return _Use(event, *parts, there, event.versions & settings.module_versions(parts[0]) - there)


def _written(event: ConfigWrite) -> _Use | None:
    if catches(event.caught | event.expected, "RuntimeError" if event.api == COMPILE else "AttributeError", "KeyError"):
        return None
    key = event.key.replace("-", "_") if event.api == COMPILE else event.key
    there = settings.key_versions(event.module, key)
    if event.how != "attribute" and event.how != "patch":
        there |= _TAKEN["options" if event.api == COMPILE else "aot"].get(key, VersionSet())
    if event.api == COMPILE and "." in key and key.partition(".")[0] not in config_keys.groups(event.module):
        there |= _NAMESPACES
    if key.startswith("_") and not there:
        return None
    failing = event.versions & settings.module_versions(event.module) - there
    return _Use(event, event.module, key, there, failing, bool(event.api) and event.api != COMPILE)


_LOGS = {
    ("torch._dynamo.config", "log_level"): "dynamo=logging.INFO",
    ("torch._dynamo.config", "output_code"): "output_code=True",
    ("torch._dynamo.config", "print_graph_breaks"): "graph_breaks=True",
}
"""Settings of torch 2.0, and what became of them."""


def _message(use: _Use) -> str:
    name = f"{use.module}.{use.key}" if use.key not in {key for keys in _TAKEN.values() for key in keys} else use.key
    if not use.there:
        return f"no torch from {MINORS[0]} to {MINORS[-1]} has the setting `{name}`"
    later = VersionSet.since(use.there.last) - use.there
    if use.failing <= later:
        return f"the setting `{name}` was removed in torch {later.first}"
    if use.failing <= VersionSet.between(MINORS[0], use.there.first):
        return f"the setting `{name}` is new in torch {use.there.first}"
    return f"the setting `{name}` exists only in torch {_span(use.there)}"


def _near(use: _Use) -> list[str]:
    """Settings with almost the same name."""
    return settings.near_keys(use.module, use.key, VersionSet([use.failing.last]))


def _help(use: _Use) -> str:
    near = _near(use)
    if near:
        return f"did you mean {near[0]!r}?"
    if use.there and use.there.last == MINORS[-1]:
        return f"require torch>={use.there.first}, or ask `hasattr` before"
    if (use.module, use.key) in _LOGS:
        return f"write torch._logging.set_logs({_LOGS[use.module, use.key]})"
    return "leave it out" if not use.there else "leave it out, or ask `hasattr` before"


def _span(versions: VersionSet) -> str:
    """The versions in ASCII, because a message also goes to files and terminals without a dash."""
    return str(versions).replace("\N{EN DASH}", "-")
