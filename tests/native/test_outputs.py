"""Integers that C++ kernels make sizes of their outputs of."""

from __future__ import annotations

import pytest

from aoti_lint.native.functions import definitions
from aoti_lint.native.lexical import Text
from aoti_lint.native.outputs import output_integers

HEAD = "at::Tensor pool(const at::Tensor& x, int64_t rows, double eps, const int64_t& width, c10::SymInt open) "


def found(body: str) -> list[tuple[int, str]]:
    code = (HEAD + body).encode()
    [function] = definitions(Text(code), "a.cpp", b"pool")
    return [(index, code[span.start : span.end].decode()) for index, span in output_integers(function)]


@pytest.mark.parametrize(
    ("body", "indexes"),
    [
        ("{ return at::empty({rows, x.size(1)}, x.options()); }", [1]),
        ("{ return torch::zeros({x.size(0), width / 2}, x.options()); }", [3]),
        ("{ return x.new_empty({rows, width}); }", [1, 3]),
        # No size, no integer, a vector that is made elsewhere, and more tensors than are returned.
        ("{ return at::full({4, 4}, rows); }", []),
        ("{ return at::empty_symint({open, 4}, x.options()); }", []),
        ("{ return at::empty(sizes, x.options()); }", []),
        ("{ auto t = at::empty({rows}, x.options()); return at::empty({4}, t.options()); }", []),
        ("{ return at::empty_like(x); }", []),
    ],
)
def test_integers_of_the_sizes(body: str, indexes: list[int]) -> None:
    assert [index for index, _ in found(body)] == indexes


def test_the_place_is_the_call() -> None:
    assert found("{ return at::empty({rows}, x.options()); }") == [(1, "at::empty({rows}, x.options())")]
