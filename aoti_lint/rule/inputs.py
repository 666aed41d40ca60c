"""A call beside what it calls: the arguments that go to the inputs of a program or to the parameters of a function."""

from __future__ import annotations

from aoti_lint.linking.aligned import Beside, Odd, aligned, flattened, keywords, kind_of_leaf, span_of
from aoti_lint.models.export.binding import Misfit, Mismatch, Plain, kind_of, misfit, parts

__all__ = [
    "Beside", "Misfit", "Mismatch", "Odd", "Plain", "aligned", "flattened", "keywords", "kind_of", "kind_of_leaf",
    "misfit", "parts", "span_of",
]  # fmt: skip
