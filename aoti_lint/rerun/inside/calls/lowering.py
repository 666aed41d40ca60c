"""The way into the compiler: the settings of the run, and where a library goes."""

from __future__ import annotations

import os
import sys
from typing import Any

from .. import places
from ..events import Events
from ..files.paths import Paths
from ..wrapping import Around


class Settings(Around):
    """Our settings win over those of the call, and over what the script set since."""

    def __init__(self, events: Events, settings: dict[str, Any]) -> None:
        super().__init__(events)
        self._settings, self._patch = settings, None

    def before(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        given = kwargs.get("config_patches")
        if given and any(name in given for name in self._settings):
            kwargs = {**kwargs, "config_patches": {**given, **_among(self._settings, given)}}
        config: Any = sys.modules.get("torch._inductor.config")
        known = {name: value for name, value in self._settings.items() if hasattr(config, name)}
        if known:
            patch = config.patch(known)
            patch.__enter__()
            self._patch = patch
        return args, kwargs

    def after(self, result: Any) -> Any:
        self._leave()
        return result

    def failed(self, error: BaseException) -> None:
        self._leave()

    def _leave(self) -> None:
        if self._patch is not None:
            self._patch.__exit__(None, None, None)


def _among(settings: dict[str, Any], names: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if name in names}


class Lower(Settings):
    """`aot_inductor.output_path`, from the call or from torch._inductor.config, is where a library goes."""

    def __init__(self, events: Events, paths: Paths, settings: dict[str, Any]) -> None:
        super().__init__(events, settings)
        self._paths = paths
        self._asked: str | None = None
        self._made: str | None = None

    def before(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        args, kwargs = super().before(args, kwargs)
        given = kwargs.get("config_patches") or {}
        config = getattr(sys.modules.get("torch._inductor.config"), "aot_inductor", None)
        asked = given.get("aot_inductor.output_path") or getattr(config, "output_path", "")
        if asked and not self._paths.ours(asked):
            self._asked, self._made = asked, self._paths.make(asked)
            kwargs = {**kwargs, "config_patches": {**given, "aot_inductor.output_path": self._made}}
            self.events.write("library", asked=os.path.abspath(asked), made=self._made, place=places.here())
        return args, kwargs

    def after(self, result: Any) -> Any:
        self._leave()
        if self._made is not None:
            self._paths.register(self._asked, self._made)
        return self._asked if isinstance(result, str) and result == self._made else result
