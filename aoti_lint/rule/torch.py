"""Facts about torch by version: its API, its settings, when it reads them, what their values mean."""

# ruff: noqa: I001, RUF022  (the names stand in rows)

from __future__ import annotations

from aoti_lint.language.effects.autocasts import (
    Autocast, active as autocast_active, lower as autocast_precision, parts as autocast_parts,
)  # fmt: skip
from aoti_lint.language.effects.settings import INDUCTOR
from aoti_lint.models.torch.compiling import WRAPPED
from aoti_lint.models.torch.devices import TYPES as DEVICE_TYPES, parse as device_named
from aoti_lint.models.torch.visible_gpus import VISIBLE as VISIBLE_GPUS, count as visible_count
from aoti_lint.torch_api import api, config_keys, moments, settings
from aoti_lint.torch_api.refused import untraced, untranslated
from aoti_lint.torch_api.understanding import Meaning, meaning

__all__ = [
    "Autocast", "DEVICE_TYPES", "INDUCTOR", "Meaning", "VISIBLE_GPUS", "WRAPPED", "api", "autocast_active",
    "autocast_parts", "autocast_precision", "config_keys", "device_named", "meaning", "moments", "settings",
    "untraced", "untranslated", "visible_count",
]  # fmt: skip
