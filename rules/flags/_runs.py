"""What the run of one script does: whether it compiles, loads, starts other programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import TypeVar

from aoti_lint.rule import Facts, Index, Span, dataclass
from aoti_lint.rule.events import (
    ApiCall,
    CallEvent,
    CompiledCall,
    CompileEvent,
    ConfigWrite,
    Event,
    ExportEvent,
    LoadEvent,
    Order,
    ProcessStart,
)
from aoti_lint.rule.values import Loaded

from ..package._imports import reach

E = TypeVar("E", bound=Event)

_QUIET_API = ("torch._inductor.aoti_load_package", "torch._inductor.package.load_package")
"""Calls into Inductor that compile nothing."""


_NO_COMPILERS = frozenset({
    "aiohttp", "boto3", "click", "cv2", "dotenv", "fastapi", "flask", "google", "grpc", "httpx", "huggingface_hub",
    "imageio", "jinja2", "loguru", "matplotlib", "msgpack", "orjson", "pandas", "prometheus_client", "psutil",
    "pydantic", "pydantic_settings", "redis", "requests", "rich", "safetensors", "scipy", "sentencepiece", "skimage",
    "soundfile", "starlette", "structlog", "tokenizers", "typer", "typing_extensions", "uvicorn", "websockets", "zmq",
})  # fmt: skip
"""Packages of others that compile no models."""


@dataclass(slots=True)
class Run:
    """The events of one script and of the functions of its file."""

    script: str
    events: list[Event] = field(default_factory=list)
    index: Index = field(init=False)

    def __post_init__(self) -> None:
        self.index = Index(self.events)

    def of(self, *types: type[E]) -> Iterator[E]:
        return self.index.of(*types)

    def compiles(self) -> bool:
        """Whether anything in it compiles or exports a model, or may."""
        return any(_may_compile(event) for event in self.events)

    def builds(self) -> list[CompileEvent]:
        """The packages and libraries it compiles."""
        return list(self.of(CompileEvent))

    def loads(self) -> LoadEvent | None:
        """The first compiled model it loads."""
        return next((event for event in self.of(LoadEvent) if isinstance(event.loaded, Loaded)), None)

    def only_runs(self) -> bool:
        """Whether it loads compiled models and compiles none."""
        return self.loads() is not None and not self.compiles()

    def calls_package(self) -> bool:
        """Whether it loads or calls a compiled model."""
        return self.loads() is not None or any(isinstance(event.target, Loaded) for event in self.of(CallEvent))

    def starts_after(self, order: Order) -> bool:
        """Whether it starts another program, or imports modules again, after an event."""
        started = self.index.last(ProcessStart)
        return started is not None and started.order > order


def script_of(event: Event) -> str:
    """The script an event happens in the run of."""
    return event.root.split("::")[0]


def runs(facts: Facts) -> dict[str, Run]:
    """The run of each script."""
    found: dict[str, Run] = {}
    for event in facts.of(Event):
        script = script_of(event)
        found.setdefault(script, Run(script)).events.append(event)
    return found


def is_known(facts: Facts, run: Run) -> bool:
    """Whether the script and what it imports of the project is all that runs: nothing else may compile a model."""
    reached = reach(facts, run.script)
    return reached.outside <= _NO_COMPILERS and not reached.dynamic


def is_apart(facts: Facts, run: Run, event: Event, kind: type[Event]) -> bool:
    """Whether more may run around an event than is seen: other packages, or what uses the function it happens in.

    A file that does the deed (`kind`) when it is imported is a script, whatever its functions are for.
    """
    in_script = "::" not in event.root or any("::" not in deed.root for deed in run.of(kind))
    return not in_script or not is_known(facts, run)


def by_place(events: Iterable[E]) -> dict[Span, list[E]]:
    """Events by where they stand: one line may be run by several scripts."""
    found: dict[Span, list[E]] = {}
    for event in events:
        found.setdefault(event.span, []).append(event)
    return found


def _may_compile(event: Event) -> bool:
    if isinstance(event, ApiCall):
        name = event.name
        inductor = name.startswith(("torch._inductor.", "torch._dynamo.")) and not name.startswith(_QUIET_API)
        return "compile" in name or inductor or bool(event.within)
    if isinstance(event, ConfigWrite):
        return bool(event.api)
    return isinstance(event, CompileEvent | CompiledCall | ExportEvent)
