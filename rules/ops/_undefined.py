"""Ops that nothing in a project defines."""

from __future__ import annotations

import re

from aoti_lint.rule import METER, Facts
from aoti_lint.rule.events import OpDefinition
from aoti_lint.rule.ops import base_name, op_key

from ._schemas import Definitions, name_of


class Undefined:
    """What is known to be defined by code that was followed, and what may be by other files of the project."""

    def __init__(self, facts: Facts, definitions: Definitions) -> None:
        self._facts = facts
        self._unknown = {op_key(e.op) for e in facts.of(OpDefinition) if name_of(e) is None}
        self.defined = sorted({base_name(name) for name in definitions.of_op})
        """The ops that are defined, without overloads."""

    def has(self, namespace: str, short: str) -> bool:
        """Whether nothing defines this op, as far as the project tells."""
        if f"{namespace}::{short}" in self.defined:
            return False
        return not ({f"{namespace}::?", f"?::{short}", "?"} & self._unknown or self._elsewhere(namespace, short))

    def _elsewhere(self, namespace: str, short: str) -> bool:
        """Whether a file of the project may define the operator in a way that was not followed."""
        for path in self._facts.project.context():
            source = self._facts.project.source(path)
            if source is None:
                continue
            METER.spend(1 + len(source.text) // 50)
            if path.endswith(".py"):
                if re.search(rf"[\"']{re.escape(short)}(\.\w+)?\s*\(", source.code):
                    return True
            elif re.search(rf"\b{re.escape(namespace)}\b|TORCH_EXTENSION_NAME", source.text):
                return True
        return False
