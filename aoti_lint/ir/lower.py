"""From the text of a Python source to its IR."""

from __future__ import annotations

import gc
import warnings
from typing import TYPE_CHECKING

from aoti_lint.source.problem import SourceProblem

if TYPE_CHECKING:
    from aoti_lint.ir import nodes

# libcst needs about 550 bytes of memory for each byte of source.
LARGEST = 2_000_000

# Raised whenever the IR of an unchanged source may come out differently.
LOWERING_VERSION = 1


def lower(text: str, path: str) -> nodes.Module:
    """Lower the decoded text of one source (no byte order mark) to IR.

    `path` is relative to the project root. Raises `SourceProblem` when the text is not Python, is too
    large or nested too deeply, or holds a literal Python would refuse.
    """
    if len(text) > LARGEST:
        raise SourceProblem(path, f"too large to be analysed: {len(text):,} characters, at most {LARGEST:,} are read")
    from aoti_lint.ir.stack import with_deep_stack

    collecting = gc.isenabled()
    gc.disable()
    try:
        return with_deep_stack(lambda: _lower(text, path))
    except (RecursionError, MemoryError):
        raise SourceProblem(path, "nested too deeply to be analysed") from None
    finally:
        if collecting:
            gc.enable()


def _lower(text: str, path: str) -> nodes.Module:
    from aoti_lint.ir import nodes
    from aoti_lint.ir.lower_stmt import StatementLowering
    from aoti_lint.ir.parse import parse

    tree, spans = parse(text, path)
    lowering = StatementLowering(spans, path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        body = lowering.body(tree)
    return nodes.Module(0, len(text.encode()), path, body)
