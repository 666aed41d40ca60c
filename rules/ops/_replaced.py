"""The fakes that tracing does not come to, for another function of the op stands before them."""

from __future__ import annotations

import re
from functools import partial

from aoti_lint.rule import Facts, Span
from aoti_lint.rule.events import OpImpl
from aoti_lint.rule.ops import base_name
from aoti_lint.rule.project import is_native
from aoti_lint.rule.values import Const, Func

from ._schemas import of_autograd


class Replaced:
    """The ops whose registered fake no trace runs, as far as that is known.

    `torch.library.register_fake` refuses an op that has a Meta kernel (`torch/_library/fake_impl.py`), so what
    registers a fake beside one asks first. A kernel for a key of autograd is traced in the place of the op, and the
    fake is needed only where it calls the op again. Both were run on torch 2.13.

    What C++ registers holds for all files, what a script does for itself: scripts beside each other often define the
    same op.
    """

    def __init__(self, facts: Facts) -> None:
        self._anywhere: set[str] = set()
        self._in_file: set[tuple[str, str]] = set()
        for impl in facts.of(OpImpl):
            op = impl.op.value if isinstance(impl.op, Const) else None
            if isinstance(op, str) and _stands_before_a_fake(facts, impl, base_name(op)):
                self._in_file.add((base_name(op), impl.span.path))
                if is_native(impl.span.path):
                    self._anywhere.add(base_name(op))

    def fake_of(self, op: str, path: str) -> bool:
        """Whether it is so of a fake that the file `path` registers for the op."""
        return base_name(op) in self._anywhere or (base_name(op), path) in self._in_file


def replaced(facts: Facts) -> Replaced:
    """The same for all rules, which each ask for it."""
    return facts.once("replaced fakes", partial(Replaced, facts))


def _stands_before_a_fake(facts: Facts, impl: OpImpl, op: str) -> bool:
    if any(map(of_autograd, impl.keys)):
        return not _may_call_again(facts, impl, op)
    return not impl.is_fake and any(isinstance(key, Const) and key.value == "Meta" for key in impl.keys)


def _may_call_again(facts: Facts, impl: OpImpl, op: str) -> bool:
    """Whether a kernel of autograd may call the op that it is registered for.

    In C++ that is looked up by its name, in the file. In Python it may be in what a class of `torch.autograd` does.
    """
    source = facts.project.source(impl.span.path)
    if source is None:
        return True
    if is_native(impl.span.path):
        return f'"{op}"' in source.text
    if not isinstance(impl.function, Func) or impl.function.module.path != impl.span.path:
        return True
    node = impl.function.node
    body = facts.project.text_at(Span(impl.span.path, node.start, node.end))
    return re.search(rf"{re.escape(op.replace('::', '.'))}(?!\w)|\bapply\b|redispatch", body) is not None
