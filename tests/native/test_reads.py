"""What a C++ kernel is said to read of its tensors."""

from __future__ import annotations

import pytest

from aoti_lint.native.model import Implementation
from aoti_lint.native.read import Natives
from aoti_lint.native.reads import reads, without_data


def read(body: str, parameters: str = "const at::Tensor& x") -> list[str]:
    """The text of what a kernel for Meta with this body reads."""
    text = f'at::Tensor f({parameters}) {{ {body} }}\nTORCH_LIBRARY_IMPL(lib, Meta, m) {{ m.impl("f", &f); }}'.encode()
    (found,) = Natives(["ops.cpp"], lambda path: text).registrations()
    assert isinstance(found, Implementation)
    assert found.kernel is not None
    assert found.kernel.function is not None
    return [text[one.span.start : one.span.end].decode() for one in reads(found.kernel.function)]


@pytest.mark.parametrize(
    "written",
    [
        "x.size(0)",
        "x.size(-1)",
        "x.sizes()",
        "x.numel()",
        "x.nbytes()",
        "x.strides()",
        "x.stride(0)",
        "x.item<float>()",
        "x.item()",
        "x.data_ptr<float>()",
        "x.data_ptr()",
        "x.template data_ptr<scalar_t>()",
    ],
)
def test_what_is_read(written: str) -> None:
    assert read(f"return g({written});") == [written]


@pytest.mark.parametrize(
    "written",
    [
        "x.sym_size(0)",
        "x.sym_sizes()",
        "x.sym_numel()",
        "x.sym_strides()",
        "x.dim()",
        "x.ndimension()",
        "x.options()",
        "x.scalar_type()",
        "x.is_contiguous()",
        "at::empty_like(x)",
        "x.const_data_ptr<float>()",
        "x.new_empty_symint(x.sym_sizes())",
    ],
)
def test_what_keeps_the_sizes(written: str) -> None:
    assert read(f"return g({written});") == []


@pytest.mark.parametrize(
    "type",
    [
        "std::vector<int64_t>",
        "const std::vector<at::Tensor>&",
        "at::TensorList",
        "at::IntArrayRef",
        "c10::SymIntArrayRef",
        "const std::optional<at::Tensor>&",
        "c10::ArrayRef<at::Tensor>",
        "const std::string&",
        "c10::List<at::Tensor>",
        "const at::ITensorListRef&",
    ],
)
def test_what_is_no_tensor_may_be_asked(type: str) -> None:
    assert read("return at::empty({x.size(), x.size(0), x.numel()});", f"{type} x") == []


@pytest.mark.parametrize(
    "type", ["at::Tensor", "const at::Tensor&", "torch::Tensor&", "Tensor", "const Tensor &", "torch::stable::Tensor"]
)
def test_what_is_a_tensor(type: str) -> None:
    assert read("return g(x.size(0));", f"{type} x") == ["x.size(0)"]


def test_a_tensor_that_was_made_of_another() -> None:
    assert read("auto y = x.contiguous().view({-1}); const auto& z = y; return g(z.size(0));") == ["z.size(0)"]


@pytest.mark.parametrize(
    ("before", "written"),
    [
        ("", "x.sum().item<int64_t>()"),
        ("auto total = x.sum();", "total.max().item<int>()"),
        ("const auto& total = at::max(x);", "total.item()"),
        ("", "x[0][1].item<float>()"),
        ("", "(x + 1).sum().item<int>()"),
    ],
)
def test_the_values_of_what_is_made_of_a_tensor(before: str, written: str) -> None:
    assert read(f"{before} return g({written});") == [written]


def test_values_of_something_else() -> None:
    assert read("auto y = other(x); return g(y.item());") == []
    assert read("auto y = x.sum(); { auto y = other(); return g(y.item()); }") == []
    assert read("auto y = x.sum(); return g(y.size(0));") == []


def test_a_name_that_is_something_else_now() -> None:
    assert read("{ auto x = lengths(); return g(x.size()); }") == []
    assert read("auto y = other(x); return g(y.size(0));") == []


def test_an_optional_tensor_that_holds_one() -> None:
    assert read("return g(x->size(0), x.value().size(0), (*x).size(0));", "const std::optional<at::Tensor>& x") == []


def test_the_list_of_sizes_is_read_once() -> None:
    assert read("auto sizes = x.sizes(); return g(sizes[0], sizes.size());") == ["x.sizes()"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("if (!kIsMeta) { g(x.data_ptr()); } return x;", []),
        ("if constexpr (kIsMeta) { return out; } g(x.data_ptr()); return out;", []),
        ("if (x.is_meta()) { return at::empty(x.sizes()); } return g(x.numel());", ["x.sizes()"]),
        ("if (x.is_cuda()) { g(x.data_ptr()); } return x;", []),
        ("if (x.device().is_meta()) return x; else { g(x.numel()); }", []),
        ("if (flag) { return x; } return g(x.numel());", ["x.numel()"]),
        ("if (flag) return g(x.size(0)); return x; g(x.numel());", ["x.size(0)"]),
    ],
)
def test_code_that_does_not_run_for_meta(body: str, expected: list[str]) -> None:
    assert read(body) == expected


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        (b"(kIsMeta)", True),
        (b"(!kIsMeta)", False),
        (b"(IS_META)", True),
        (b"(x.is_meta())", True),
        (b"(!x.device().is_meta())", False),
        (b"(x.is_cuda())", False),
        (b"(!x.is_cuda())", True),
        (b"(metadata)", None),
        (b"(n == 1)", None),
    ],
)
def test_conditions(condition: bytes, holds: bool | None) -> None:
    assert without_data(condition) is holds


def test_kernels_in_cuda_files() -> None:
    assert read("kernel<float><<<1, 32, 0, stream>>>(x.data_ptr<float>()); return g(x.size(0));") == [
        "x.data_ptr<float>()",
        "x.size(0)",
    ]


def test_both_arms_of_a_condition() -> None:
    body = "\n#ifdef A\n g(x.size(0));\n#else\n g(x.size(1));\n#endif\n return x;"
    assert read(body) == ["x.size(0)", "x.size(1)"]


def test_a_lambda() -> None:
    text = b'TORCH_LIBRARY_IMPL(lib, Meta, m) { m.impl("f", [](const at::Tensor& x) { return g(x.sizes()); }); }'
    (found,) = Natives(["ops.cpp"], lambda path: text).registrations()
    assert isinstance(found, Implementation)
    assert found.kernel is not None
    assert found.kernel.function is not None
    (one,) = reads(found.kernel.function)
    assert text[one.span.start : one.span.end] == b"x.sizes()"
