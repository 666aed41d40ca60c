"""The exit code that a document of findings asks for."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

SURE_ENOUGH = {"certain": ("certain",), "likely": ("certain", "likely")}


def exit_code(document: dict[str, Any], arguments: Namespace) -> int:
    """The exit code a document asks for."""
    if document["errors"]:
        return 2
    sure = SURE_ENOUGH[arguments.error_on]
    failing = any(item["confidence"] in sure and item["severity"] != "info" for item in document["diagnostics"])
    return 1 if failing and not arguments.exit_zero else 0
