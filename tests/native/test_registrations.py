"""What C++ sources register, as it is read from their text."""

from __future__ import annotations

import pytest

from aoti_lint.native.model import Definition, Implementation, Library, Registration
from aoti_lint.native.read import Natives


def read(text: str | bytes, **others: str) -> list[Registration]:
    """What the file `ops.cpp` registers, with further files beside it."""
    files = {"ops.cpp": text if isinstance(text, bytes) else text.encode()}
    files |= {name.replace("_h", ".h"): other.encode() for name, other in others.items()}
    return [one for one in everything(files) if not isinstance(one, Library)]


def everything(files: dict[str, bytes]) -> list[Registration]:
    """What the files register, and the blocks of which there is one for each namespace."""
    return list(Natives(files, files.get).registrations())


def definitions(text: str, **others: str) -> list[tuple[str, str | None]]:
    return [(one.op, one.schema) for one in read(text, **others) if isinstance(one, Definition)]


def kernels(text: str, **others: str) -> list[tuple[str, str, str | None]]:
    """Op, dispatch key and name of the kernel."""
    return [
        (one.op, one.key, one.kernel.name if one.kernel is not None else None)
        for one in read(text, **others)
        if isinstance(one, Implementation)
    ]


SCHEMA = "f(Tensor x) -> Tensor"


@pytest.mark.parametrize(
    "macro",
    [
        "TORCH_LIBRARY(lib, m)",
        "TORCH_LIBRARY_FRAGMENT(lib, m)",
        "STABLE_TORCH_LIBRARY(lib, m)",
        "STABLE_TORCH_LIBRARY_FRAGMENT(lib, m)",
        "TORCH_LIBRARY_EXPAND(lib, m)",
        "TORCH_LIBRARY (\n  lib,\n  m) // ours\n",
    ],
)
def test_a_block_defines_ops(macro: str) -> None:
    assert definitions(f'{macro} {{ m.def("{SCHEMA}"); }}') == [("lib::f", SCHEMA)]


@pytest.mark.parametrize(
    "written",
    [
        f'"{SCHEMA}"',
        '"f(Tensor x)"\n    " -> Tensor"',
        '"f(Tensor x)"  // the input\n    " -> Tensor"',
        f'R"({SCHEMA})"',
        f'R"op({SCHEMA})op"',
        f'TORCH_SELECTIVE_SCHEMA("{SCHEMA}")',
        f'torch::schema("{SCHEMA}", c10::AliasAnalysisKind::PURE_FUNCTION)',
        'std::string("f(Tensor x)") + " -> Tensor"',
        f'"{SCHEMA}", {{at::Tag::pt2_compliant_tag}}',
        f'("{SCHEMA}")',
    ],
)
def test_a_schema_in_any_form(written: str) -> None:
    assert definitions(f"TORCH_LIBRARY(lib, m) {{ m.def({written}); }}") == [("lib::f", SCHEMA)]


def test_constants_and_macros_are_text() -> None:
    text = """
    constexpr const char* kSchema = "f(Tensor x) -> Tensor";
    #define ARGS "Tensor x"
    #define SCHEMA(name) #name "(" ARGS ") -> Tensor"
    TORCH_LIBRARY(lib, m) { m.def(kSchema); m.def("g(" ARGS ") -> Tensor"); m.def(SCHEMA(h)); }
    """
    assert definitions(text) == [
        ("lib::f", SCHEMA),
        ("lib::g", "g(Tensor x) -> Tensor"),
        ("lib::h", "h(Tensor x) -> Tensor"),
    ]


def test_what_is_not_known_is_unknown() -> None:
    text = """
    TORCH_LIBRARY(lib, m) { for (auto& one : all()) { m.def(one.schema); } }
    TORCH_LIBRARY_IMPL(lib, KEY, m) { m.impl("f", fn); }
    TORCH_LIBRARY(TORCH_EXTENSION_NAME, m) { m.def("f(Tensor x) -> Tensor"); }
    TORCH_LIBRARY(more, m) { REGISTER_ALL(m); }
    """
    assert definitions(text) == [("lib::?", None), ("?::f", SCHEMA), ("more::?", None)]
    assert kernels(text) == [("lib::f", "?", "fn"), ("more::?", "?", None)]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('m.impl("f", &fn)', ("lib::f", "CUDA", "fn")),
        ('m.impl("f", fn)', ("lib::f", "CUDA", "fn")),
        ('m.impl("f", TORCH_FN(ours::fn))', ("lib::f", "CUDA", "ours::fn")),
        ('m.impl("f", TORCH_BOX(&fn<true>))', ("lib::f", "CUDA", "fn<true>")),
        ('m.impl(TORCH_SELECTIVE_NAME("lib::f"), TORCH_FN(fn))', ("lib::f", "CUDA", "fn")),
        ('m.impl("f", torch::kMeta, fn)', ("lib::f", "Meta", "fn")),
        ('m.impl("f", c10::DispatchKey::Meta, &fn)', ("lib::f", "Meta", "fn")),
        ('m.impl("f", torch::dispatch(c10::DispatchKey::Meta, TORCH_FN(fn)))', ("lib::f", "Meta", "fn")),
        ('m.impl("f", [](const at::Tensor& x) { return x; })', ("lib::f", "CUDA", "")),
        ('m.impl("f", torch::CppFunction::makeFallthrough())', ("lib::f", "CUDA", None)),
        ('m.impl("f.out", fn)', ("lib::f.out", "CUDA", "fn")),
    ],
)
def test_kernels(written: str, expected: tuple[str, str, str | None]) -> None:
    assert kernels(f"TORCH_LIBRARY_IMPL(lib, CUDA, m) {{ {written}; }}") == [expected]


def test_a_kernel_for_no_key_serves_all() -> None:
    assert kernels('TORCH_LIBRARY(lib, m) { m.def("f(Tensor x) -> Tensor", &fn); m.impl("g", fn); }') == [
        ("lib::f", "", "fn"),
        ("lib::g", "", "fn"),
    ]


def test_the_schema_of_a_function() -> None:
    text = """
    namespace {
    template <typename T>
    static std::tuple<at::Tensor, std::vector<at::Tensor>> fn(
        const at::Tensor& x, c10::optional<torch::Tensor> y, at::TensorList z, int64_t n, double eps, bool flag,
        const std::string& mode, c10::SymInt size, at::IntArrayRef dims, std::vector<int64_t> more = {}) { return g(); }
    }
    void nothing(at::Tensor& x) { x.zero_(); }
    TORCH_LIBRARY(lib, m) { m.def("f", &fn<float>); m.def("nothing", nothing); m.def("other", elsewhere); }
    """
    arguments = "Tensor _0, Tensor? _1, Tensor[] _2, int _3, float _4, bool _5, str _6, SymInt _7, int[] _8, int[] _9"
    assert definitions(text) == [
        ("lib::f", f"f({arguments}) -> (Tensor, Tensor[])"),
        ("lib::nothing", "nothing(Tensor _0) -> ()"),
        ("lib::other", None),
    ]


def test_registrations_of_old() -> None:
    text = """
    at::Tensor fn(at::Tensor x) { return x; }
    static auto registry = torch::RegisterOperators()
        .op("lib::f", &fn)
        .op("lib::g(Tensor x) -> Tensor", &fn);
    """
    assert definitions(text) == [("lib::f", "lib::f(Tensor _0) -> Tensor"), ("lib::g", "lib::g(Tensor x) -> Tensor")]
    assert kernels(text) == [("lib::f", "", "fn"), ("lib::g", "", "fn")]


def test_the_module_with_the_fakes() -> None:
    text = """
    TORCH_LIBRARY(lib, m) {
      m.def("before(Tensor x) -> Tensor");
      m.impl_abstract_pystub("lib.ops", "//lib:ops");
      m.def("f(Tensor x) -> Tensor");
      m.set_python_module("lib.more");
      m.def("g(Tensor x) -> Tensor");
    }
    """
    found = {one.op: one.module for one in read(text) if isinstance(one, Definition)}
    assert found == {"lib::before": None, "lib::f": "lib.ops", "lib::g": "lib.more"}


def test_tags() -> None:
    text = 'TORCH_LIBRARY(lib, m) { m.def("f(Tensor x) -> Tensor", {at::Tag::pt2_compliant_tag, at::Tag::core}); }'
    (found,) = read(text)
    assert isinstance(found, Definition)
    assert found.tags == ("pt2_compliant_tag", "core")


def test_both_arms_of_a_condition_are_read() -> None:
    text = """
    TORCH_LIBRARY(lib, m) {
    #ifdef USE_CUDA
      if (has_cuda()) {
        m.def("f(Tensor x) -> Tensor");
    #else
      {
        m.def("g(Tensor x) -> Tensor");
    #endif
      }
      m.def("h(Tensor x) -> Tensor");
    }
    TORCH_LIBRARY_IMPL(lib, Meta, m) { m.impl("f", fn); }
    """
    assert [op for op, _ in definitions(text)] == ["lib::f", "lib::g", "lib::h"]
    assert kernels(text) == [("lib::f", "Meta", "fn")]


def test_macros_of_the_project() -> None:
    text = """
    #include "ours.h"
    OUR_LIBRARY(lib, m) { m.def("f(Tensor x) -> Tensor"); }
    #define KERNELS(KEY) TORCH_LIBRARY_IMPL(lib, KEY, m) { \\
        m.impl("f", fn);                                  \\
    }
    KERNELS(CPU)
    KERNELS(Meta)
    #define ALL(X) X(g) X(h)
    #define IMPL(name) m.impl(#name, &name##_cuda);
    TORCH_LIBRARY_IMPL(lib, CUDA, m) { ALL(IMPL) DISPATCH("k", k) }
    """
    header = """
    #define OUR_LIBRARY(NAME, MODULE) TORCH_LIBRARY(NAME, MODULE)
    #define DISPATCH(name, function) m.impl(name, torch::dispatch(c10::DispatchKey::Meta, TORCH_FN(function)))
    """
    assert definitions(text, ours_h=header) == [("lib::f", SCHEMA)]
    assert kernels(text, ours_h=header) == [
        ("lib::g", "CUDA", "g_cuda"),
        ("lib::h", "CUDA", "h_cuda"),
        ("lib::k", "Meta", "k"),
        ("lib::f", "CPU", "fn"),
        ("lib::f", "Meta", "fn"),
    ]


def test_a_macro_under_another_name() -> None:
    text = """
    #define OUR_LIBRARY TORCH_LIBRARY
    #define OUR_IMPL TORCH_LIBRARY_IMPL
    #include "ours.h"
    """
    header = """
    OUR_LIBRARY(lib, m) { m.def("f(Tensor x) -> Tensor"); }
    OUR_IMPL(lib, Meta, m) { m.impl("f", &fn); }
    """
    files = {"ops.cpp": text.encode(), "ours.h": header.encode()}
    found = list(Natives(["ops.cpp"], files.get, ["ours.h"]).registrations())
    named = [one for one in found if not isinstance(one, Library)]
    assert [(type(one).__name__, one.op, one.span.path) for one in named] == [
        ("Definition", "lib::f", "ours.h"),
        ("Implementation", "lib::f", "ours.h"),
    ]


def test_a_function_that_is_handed_the_library() -> None:
    text = """
    void more(torch::Library& library) { library.def("g(Tensor x) -> Tensor"); }
    TORCH_LIBRARY(lib, m) { m.def("f(Tensor x) -> Tensor"); more(m); elsewhere(m); }
    """
    assert [op for op, _ in definitions(text)] == ["lib::f", "lib::g", "lib::?"]


def test_chained_calls() -> None:
    text = 'TORCH_LIBRARY(lib, m) { m.def("f(Tensor x) -> Tensor").impl("f", fn).def("g(Tensor x) -> Tensor"); }'
    assert [op for op, _ in definitions(text)] == ["lib::f", "lib::g"]
    assert kernels(text) == [("lib::f", "", "fn")]


def test_what_only_looks_like_a_registration() -> None:
    text = """
    // TORCH_LIBRARY(lib, m) { m.def("f(Tensor x) -> Tensor"); }
    /* TORCH_LIBRARY(lib, m) { m.def("f(Tensor x) -> Tensor"); } */
    const char* help = "TORCH_LIBRARY(lib, m) { m.def(1); }";
    auto raw = R"(TORCH_LIBRARY(lib, m) { m.def("f(Tensor x) -> Tensor"); })";
    #define TORCH_LIBRARY(ns, m) static void init_##ns(torch::Library& m)
    TORCH_LIBRARY(lib, m);
    const int million = 1'000'000;
    TORCH_LIBRARY(real, m) { m.def("f(Tensor x) -> Tensor"); }
    """
    assert definitions(text) == [("real::f", SCHEMA)]


def test_what_breaks_a_parser_of_whole_files() -> None:
    text = """
    template <typename T> __global__ void kernel(T* x) { if (x[0] < 1) { } }
    WEIRD_MACRO(no, semicolon)
    void run(at::Tensor x) { kernel<float><<<dim3(1), 32, 0, stream>>>(x.data_ptr<float>()); }
    class Broken { int x[ };
    TORCH_LIBRARY(lib, m) { m.def("f(Tensor x) -> Tensor"); }
    """
    assert definitions(text) == [("lib::f", SCHEMA)]


@pytest.mark.parametrize("cut", range(0, 120, 7))
def test_a_file_that_ends_too_early(cut: int) -> None:
    text = 'TORCH_LIBRARY(lib, m) { m.def("f(Tensor x) -> Tensor", R"(a)", [](at::Tensor x) { return x; }); } // end'
    read(text[:cut])


def test_places_are_bytes_of_the_text() -> None:
    text = 'void f() {} // größer\nTORCH_LIBRARY(lib, m) { m.def("f(Tensor x) -> Tensor"); }'
    (found,) = read(text)
    assert text.encode()[found.span.start : found.span.end] == b'm.def("f(Tensor x) -> Tensor")'


def test_a_kernel_in_another_file() -> None:
    text = 'TORCH_LIBRARY_IMPL(lib, Meta, m) { m.impl("f", ours::fn); }'
    (found,) = read(
        text,
        kernels_h="namespace ours { Tensor fn(const Tensor& x); }\nTensor ours::fn(const Tensor& x) { return x; }",
    )
    assert isinstance(found, Implementation)
    assert found.kernel is not None
    assert found.kernel.function is not None
    assert found.kernel.function.span.path == "kernels.h"


# ---------------------------------------------------------------- blocks, and what some builds leave out


def test_blocks_of_which_a_process_has_one() -> None:
    text = f'TORCH_LIBRARY(lib, m) {{ m.def("{SCHEMA}"); }}\nTORCH_LIBRARY_FRAGMENT(more, m) {{}}\n'
    text += "TORCH_LIBRARY_IMPL(lib, CPU, m) {}\nTORCH_LIBRARY(TORCH_EXTENSION_NAME, m) {}\n"
    found = [one for one in everything({"ops.cpp": text.encode()}) if isinstance(one, Library)]
    assert [(one.namespace, text[one.span.start : one.span.end]) for one in found] == [
        ("lib", "TORCH_LIBRARY(lib, m) {")
    ]


@pytest.mark.parametrize(
    ("text", "block", "definition"),
    [
        ("TORCH_LIBRARY(lib, m) { DEF }", False, False),
        ("#ifdef A\n#endif\nTORCH_LIBRARY(lib, m) { DEF }\n#if B\n#endif", False, False),
        ("TORCH_LIBRARY(lib, m) {\n#if A\nDEF\n#endif\n}", False, True),
        ("#ifndef A\n#if B\n#endif\nTORCH_LIBRARY(lib, m) { DEF }\n#endif", True, True),
        ("#if A\n#else\nTORCH_LIBRARY(lib, m) { DEF }\n#endif", True, True),
        ("// #if A\nTORCH_LIBRARY(lib, m) { DEF }\n// #endif", False, False),
    ],
)
def test_what_some_builds_leave_out(text: str, block: bool, definition: bool) -> None:
    data = text.replace("DEF", f'm.def("{SCHEMA}");').encode()
    found = [(type(one), one.conditional) for one in everything({"a.cpp": data}) if not isinstance(one, Implementation)]
    assert found == [(Library, block), (Definition, definition)]


def test_a_literal_that_macros_with_arguments_go_on_with() -> None:
    macros = "#define PAGE 64\n#define QUOTE(x) #x\n#define STRING(x) QUOTE(x)\n"
    text = macros + 'TORCH_LIBRARY(lib, m) { m.def("f(Tensor x, int page=" STRING(PAGE) ", int k=1) -> Tensor"); }'
    assert definitions(text) == [("lib::f", "f(Tensor x, int page=64, int k=1) -> Tensor")]


@pytest.mark.parametrize("unknown", ["STRING(\n      PAGE)", "PAGES"])
def test_a_literal_that_unknown_macros_go_on_with_is_not_read(unknown: str) -> None:
    text = f'TORCH_LIBRARY(lib, m) {{ m.def("f(Tensor x, int page=" {unknown} ", int k=1) -> Tensor"); }}'
    assert definitions(text) == [("lib::?", None)]


@pytest.mark.parametrize(
    "text",
    [
        'TORCH_LIBRARY(lib, m) { m.def("f_{{ kind }}(Tensor x) -> Tensor"); }',
        'TORCH_LIBRARY(lib, m) { m.def("f_@KIND@(Tensor x) -> Tensor"); }',
        'TORCH_LIBRARY(lib, m) { m.def("f_${kind}(Tensor x) -> Tensor"); }',
        '{%- for kind in kinds %}\nTORCH_LIBRARY(lib, m) { m.def("f(Tensor x, int64_t k) -> Tensor"); }\n{%- endfor %}',
    ],
)
def test_what_a_generator_fills_in_is_not_read(text: str) -> None:
    assert {op for op, _ in definitions(text)} == {"lib::?"}
