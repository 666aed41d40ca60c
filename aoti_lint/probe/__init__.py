"""Custom operators, run: what their fake functions fix, and where they differ from the kernels.

Unlike the rules, which read code, this needs torch and runs code. The modules that say so import torch at their top;
this one does when it is called.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from aoti_lint.probe.finding import Finding


def probe_op(op: Any, args: Sequence[Any], kwargs: Mapping[str, Any] | None = None) -> list[Finding]:
    """What is wrong with the fake (and the kernel, where it runs on the device of `args`) of one operator.

    `op` is an `OpOverload`, an `OpOverloadPacket` with one overload, what `custom_op` gives, or a name ("ns::op");
    `args` and `kwargs` are inputs it takes. The operator is run many times in this process: a crash of its kernel ends
    it. Raises `ValueError` when the inputs do not fit the schema.
    """
    from aoti_lint.probe.arguments import Example
    from aoti_lint.probe.operator import examine, overload

    found = overload(op)
    return examine(found, Example.bind(found, args, kwargs or {})).findings
