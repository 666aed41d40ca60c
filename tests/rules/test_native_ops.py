"""The rules of the ops family on C++ sources, and on C++ and Python together."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.config import Config
from aoti_lint.engine.check import check
from aoti_lint.options import Options

CPP = """
#include <torch/library.h>

at::Tensor pool_meta(const at::Tensor& points, c10::SymInt channels) {
  return at::empty_symint({points.sym_size(0), channels}, points.options());
}

TORCH_LIBRARY(shop, m) {
  m.def("pool(Tensor points, SymInt channels) -> Tensor");
}
"""
META = 'TORCH_LIBRARY_IMPL(shop, Meta, m) { m.impl("pool", &pool_meta); }\n'
EXPORT = """
import torch

torch.ops.load_library("libshop.so")

class Net(torch.nn.Module):
    def forward(self, x):
        return torch.ops.shop.pool(x, 4)

program = torch.export.export(Net(), (torch.randn(5, 8),))
"""
FAKE = """
import torch

@torch.library.register_fake("shop::pool")
def _(points, channels):
    return points.new_empty(points.shape[0], channels)
"""


def found(
    folder: Path, named: tuple[str, ...] | None = None, pedantic: bool = True, **files: str
) -> list[tuple[str, str, str]]:
    """Severity, code and message of all that is found; `a_cpp="…"` is the file `a.cpp`."""
    (folder / "setup.py").touch()
    for name, text in files.items():
        stem, _, suffix = name.rpartition("_")
        (folder / f"{stem}.{suffix}").write_text(text, encoding="utf-8")
    paths = [str(folder / name) for name in named] if named is not None else [str(folder)]
    document = check(Options(paths, Config(), cache=False, torch_version="2.13", pedantic=pedantic)).document
    assert not document["errors"]
    return [(item["severity"], item["code"], item["message"]) for item in document["diagnostics"]]


def codes(results: list[tuple[str, str, str]]) -> list[tuple[str, str]]:
    return [(severity, code) for severity, code, _ in results if code.startswith("AOTI4")]


# ---------------------------------------------------------------- AOTI401


def test_an_op_of_cpp_that_an_exported_model_calls(tmp_path: Path) -> None:
    results = found(tmp_path, ops_cpp=CPP, net_py=EXPORT)
    assert codes(results) == [("error", "AOTI401")]
    assert "shop::pool" in results[0][2]


def test_the_same_with_only_the_source_named(tmp_path: Path) -> None:
    assert codes(found(tmp_path, ("ops.cpp",), ops_cpp=CPP, net_py=EXPORT)) == [("error", "AOTI401")]


def test_an_op_that_nobody_exports_is_possible_only(tmp_path: Path) -> None:
    assert codes(found(tmp_path, ops_cpp=CPP)) == [("info", "AOTI401")]
    assert codes(found(tmp_path, pedantic=False, ops_cpp=CPP)) == []


def test_where_another_op_has_a_fake_the_author_knows_of_them(tmp_path: Path) -> None:
    more = """TORCH_LIBRARY_FRAGMENT(shop, m) { m.def("sum(Tensor x) -> Tensor"); m.def("other(Tensor x) -> Tensor"); }
    TORCH_LIBRARY_IMPL(shop, Meta, m) { m.impl("other", &elsewhere); }"""
    assert codes(found(tmp_path, ops_cpp=CPP, more_cpp=more)) == [("info", "AOTI401")] * 2


def test_a_library_without_any_fake_is_told_once(tmp_path: Path) -> None:
    more = """TORCH_LIBRARY_FRAGMENT(shop, m) {
        m.def("sum(Tensor x) -> Tensor");
        m.def("twice(Tensor x) -> Tensor", &twice);
        m.def("fill(Tensor(a!) x) -> ()");
    }"""
    ((severity, code, message),) = found(tmp_path, pedantic=False, ops_cpp=CPP, more_cpp=more)
    assert (severity, code) == ("warning", "AOTI401")
    assert message.startswith("no custom op in shop has a fake function, and 2 need one")


@pytest.mark.parametrize("named", [None, ("ops.cpp",), ("net.py", "ops.cpp")])
def test_a_fake_in_python(tmp_path: Path, named: tuple[str, ...] | None) -> None:
    assert codes(found(tmp_path, named, ops_cpp=CPP, net_py=EXPORT, fakes_py=FAKE)) == []


@pytest.mark.parametrize(
    "registered",
    [
        META,
        'TORCH_LIBRARY_IMPL(shop, CompositeExplicitAutograd, m) { m.impl("pool", &elsewhere); }',
        'TORCH_LIBRARY_IMPL(shop, UNKNOWN_KEY, m) { m.impl("pool", &elsewhere); }',
        "TORCH_LIBRARY_IMPL(shop, Meta, m) { REGISTER_ALL(m) }",
        'TORCH_LIBRARY_IMPL(TORCH_EXTENSION_NAME, Meta, m) { m.impl("pool", &elsewhere); }',
        'TORCH_LIBRARY_FRAGMENT(shop, m) { m.impl("pool", torch::kMeta, &elsewhere); }',
    ],
)
def test_a_fake_in_cpp(tmp_path: Path, registered: str) -> None:
    assert codes(found(tmp_path, ops_cpp=CPP, more_cpp=registered, net_py=EXPORT)) == []


def test_a_module_that_has_the_fakes(tmp_path: Path) -> None:
    stub = CPP.replace("  m.def", '  m.impl_abstract_pystub("shop.fakes");\n  m.def')
    assert codes(found(tmp_path, ops_cpp=stub, net_py=EXPORT)) == []


def test_a_kernel_for_a_device_is_no_fake(tmp_path: Path) -> None:
    cpu = 'TORCH_LIBRARY_IMPL(shop, CPU, m) { m.impl("pool", &pool_cpu); }'
    assert codes(found(tmp_path, ops_cpp=CPP, more_cpp=cpu, net_py=EXPORT)) == [("error", "AOTI401")]


def test_an_op_that_only_changes_its_arguments_needs_none(tmp_path: Path) -> None:
    text = 'TORCH_LIBRARY(shop, m) { m.def("fill(Tensor(a!) x) -> ()"); }'
    assert codes(found(tmp_path, ops_cpp=text)) == []


def test_a_python_op_with_its_fake_in_cpp(tmp_path: Path) -> None:
    script = """
import torch

library = torch.library.Library("shop", "DEF")
library.define("pool(Tensor points, SymInt channels) -> Tensor")
library.impl("pool", lambda points, channels: points[:, :channels].clone(), "CPU")

class Net(torch.nn.Module):
    def forward(self, x):
        return torch.ops.shop.pool(x, 4)

program = torch.export.export(Net(), (torch.randn(5, 8),))
"""
    kernel = CPP.split("TORCH_LIBRARY")[0] + META
    assert codes(found(tmp_path, net_py=script)) == [("error", "AOTI401")]
    assert codes(found(tmp_path, net_py=script, ops_cu=kernel)) == []


def test_a_comment_suppresses_in_cpp(tmp_path: Path) -> None:
    text = CPP.replace('Tensor");', 'Tensor");  // aoti-lint: ignore[AOTI401]')
    assert codes(found(tmp_path, ops_cpp=text, net_py=EXPORT)) == []


def test_a_python_definition_of_the_same_op_beside_its_fake(tmp_path: Path) -> None:
    library = 'torch.library.Library("shop", "FRAGMENT").define("pool(Tensor points, SymInt channels) -> Tensor")'
    fake = FAKE.replace("import torch\n", f"import torch\n\nlibrary = {library}\n")
    results = found(tmp_path, ops_cpp=CPP, fakes_py=fake)
    assert "AOTI401" not in {code for _, code in codes(results)}


def test_a_namespace_that_the_build_names(tmp_path: Path) -> None:
    text = CPP.replace("TORCH_LIBRARY(shop, m)", "TORCH_LIBRARY(TORCH_EXTENSION_NAME, m)")
    assert codes(found(tmp_path, ops_cpp=text)) == []
    # A fake of that name may be the one of an op of a known namespace.
    meta = META.replace("(shop, ", "(TORCH_EXTENSION_NAME, ")
    assert codes(found(tmp_path, ops_cpp=CPP + meta, net_py=EXPORT)) == []
    assert codes(found(tmp_path, ops_cpp=CPP + meta.replace('"pool"', '"other"'), net_py=EXPORT)) == [
        ("error", "AOTI401")
    ]


def test_the_fake_has_the_parameters_of_the_schema_in_cpp(tmp_path: Path) -> None:
    fake = FAKE.replace("points, channels", "points, count").replace(", channels)", ", count)")
    assert codes(found(tmp_path, ops_cpp=CPP, fakes_py=fake)) == []
    fewer = FAKE.replace("points, channels", "points").replace(", channels)", ", 4)")
    assert ("warning", "AOTI410") in codes(found(tmp_path, ops_cpp=CPP, fakes_py=fewer))


# ---------------------------------------------------------------- AOTI421


def specialises(folder: Path, body: str, parameters: str = "const at::Tensor& points", schema: str = "") -> list[str]:
    """The severities of AOTI421 for a Meta kernel."""
    text = f"""
at::Tensor pool_meta({parameters}) {{ {body} }}
TORCH_LIBRARY(shop, m) {{ m.def("{schema or "pool(Tensor points) -> Tensor"}"); }}
TORCH_LIBRARY_IMPL(shop, Meta, m) {{ m.impl("{(schema or "pool(").split("(")[0]}", TORCH_FN(pool_meta)); }}
"""
    return [severity for severity, code, _ in found(folder, ops_cpp=text) if code == "AOTI421"]


def test_sizes_as_numbers(tmp_path: Path) -> None:
    assert specialises(tmp_path, "return at::empty({points.size(0), 4}, points.options());") == ["warning"]


def test_a_check_reads_them_too(tmp_path: Path) -> None:
    body = 'TORCH_CHECK(points.size(1) == 8, "8 columns"); return at::empty_like(points);'
    assert specialises(tmp_path, body) == ["warning"]


def test_one_finding_a_kernel(tmp_path: Path) -> None:
    assert specialises(tmp_path, "g(points.size(0)); g(points.numel()); return at::empty_like(points);") == ["warning"]


@pytest.mark.parametrize("name", ["weight", "w", "bias", "b_q_weight", "qzeros", "weight_scale", "packed_weights"])
def test_weights_have_the_same_sizes_always(tmp_path: Path, name: str) -> None:
    body = f"return at::empty_symint({{points.sym_size(0), {name}.size(0)}}, points.options());"
    assert specialises(tmp_path, body, f"const at::Tensor& points, const at::Tensor& {name}") == ["info"]


@pytest.mark.parametrize("name", ["prepack", "gptq_marlin_repack", "pack_int4"])
def test_ops_that_pack_weights(tmp_path: Path, name: str) -> None:
    body = "return at::empty({points.size(0), 4}, points.options());"
    assert specialises(tmp_path, body, schema=f"{name}(Tensor points) -> Tensor") == ["info"]


def test_strides_are_often_static(tmp_path: Path) -> None:
    assert specialises(tmp_path, "g(points.stride(1)); return at::empty_like(points);") == ["info"]


def test_a_kernel_for_a_device_may_read_all(tmp_path: Path) -> None:
    text = """
at::Tensor pool_cpu(const at::Tensor& points) { return at::empty({points.size(0)}, points.options()); }
TORCH_LIBRARY(shop, m) { m.def("pool(Tensor points) -> Tensor"); }
TORCH_LIBRARY_IMPL(shop, CPU, m) { m.impl("pool", &pool_cpu); }
TORCH_LIBRARY_IMPL(shop, Meta, m) { m.impl("pool", &pool_meta); }
"""
    assert codes(found(tmp_path, ops_cpp=text)) == []


COMPOSITE = """
at::Tensor pool(const at::Tensor& points) { return points.new_zeros({points.size(0), 4}); }
TORCH_LIBRARY(shop, m) { m.def("pool(Tensor points) -> Tensor", &pool); }
"""


def test_a_kernel_that_is_traced(tmp_path: Path) -> None:
    script = EXPORT.replace("pool(x, 4)", "pool(x)")
    assert codes(found(tmp_path, ops_cpp=COMPOSITE)) == [("info", "AOTI421")]
    assert codes(found(tmp_path, ops_cpp=COMPOSITE, net_py=script)) == [("warning", "AOTI421")]
    fake = FAKE.replace("points, channels", "points").replace(", channels)", ", 4)")
    assert codes(found(tmp_path, ops_cpp=COMPOSITE, net_py=script, fakes_py=fake)) == []


READING = """
at::Tensor pool(const at::Tensor& points, int64_t n) {
  auto made = at::empty({points.size(0), n}, points.options());
  copy(points.data_ptr<float>(), made.data_ptr<float>());
  return made;
}
TORCH_LIBRARY(shop, m) {
  m.def("pool(Tensor points, int n) -> Tensor", &pool);
  m.def("again(Tensor points, int n) -> Tensor", &pool);
}
"""


def test_a_kernel_that_is_traced_and_reads_data(tmp_path: Path) -> None:
    told = [("warning", "AOTI421")]
    assert codes(found(tmp_path, pedantic=False, ops_cpp=READING)) == told
    compiled = EXPORT.replace(
        "program = torch.export.export(Net(), (torch.randn(5, 8),))", "torch.compile(Net())(torch.ones(2))"
    )
    assert codes(found(tmp_path, pedantic=False, ops_cpp=READING, net_py=compiled)) == told
    assert codes(found(tmp_path, pedantic=False, ops_cpp=READING, net_py=EXPORT)) == told


@pytest.mark.parametrize("more", [
    'TORCH_LIBRARY_IMPL(shop, Meta, m) { m.impl("other", &other_meta); }',
    "TORCH_LIBRARY_IMPL(shop, Meta, m) { for (auto& one : all) m.impl(one.name, one.meta); }",
])  # fmt: skip
def test_where_the_library_has_a_fake_of_another_op(more: str, tmp_path: Path) -> None:
    assert codes(found(tmp_path, pedantic=False, ops_cpp=READING + more)) == []


def test_a_test_may_read_data(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "ops.cpp").write_text(READING, encoding="utf-8")
    assert codes(found(tmp_path, pedantic=False)) == []


def test_the_kernel_stands_in_a_file_that_registers_nothing(tmp_path: Path) -> None:
    kernel = "at::Tensor pool_meta(const at::Tensor& points) { return g(points.sizes()); }"
    text = 'TORCH_LIBRARY_IMPL(shop, Meta, m) { m.impl("pool", &pool_meta); }'
    assert codes(found(tmp_path, ops_cpp=text, kernel_h=kernel)) == [("warning", "AOTI421")]


# ---------------------------------------------------------------- other rules


def test_an_int_that_is_given_a_size(tmp_path: Path) -> None:
    plain = CPP.replace("SymInt channels) ->", "int channels) ->") + META
    script = EXPORT.replace("pool(x, 4)", "pool(x, x.shape[0])").replace(
        "8),)", '8),), dynamic_shapes={"x": {0: torch.export.Dim("rows")}}'
    )
    assert codes(found(tmp_path, ops_cpp=CPP + META, net_py=script)) == []
    assert codes(found(tmp_path, ops_cpp=plain, net_py=script)) == [("warning", "AOTI415")]


SIZED = """
#include <torch/library.h>

at::Tensor rows_meta(const at::Tensor& x, int64_t n) {
  return at::empty({n, x.sym_size(0)}, x.options());
}

TORCH_LIBRARY(shop, m) { m.def("rows(Tensor x, int n) -> Tensor"); }
TORCH_LIBRARY_IMPL(shop, Meta, m) { m.impl("rows", &rows_meta); }
"""


@pytest.mark.parametrize(
    ("given", "said"),
    [("x.shape[0]", "warning"), ("x.shape[1]", "info"), ("4", ""), ("n=4", ""), ("n=x.size(0) * 2", "warning")],
)
def test_an_int_of_cpp_that_is_a_size_of_the_output(given: str, said: str, tmp_path: Path) -> None:
    script = EXPORT.replace("pool(x, 4)", f"rows(x, {given})")
    expected = [(said, "AOTI415")] if said else []
    assert codes(found(tmp_path, ops_cpp=SIZED, net_py=script)) == expected


def test_an_int_of_cpp_whose_caller_nobody_sees(tmp_path: Path) -> None:
    assert codes(found(tmp_path, ops_cpp=SIZED)) == [("info", "AOTI415")]


@pytest.mark.parametrize(
    "text",
    [
        f"#ifdef OLD\n{CPP}\n#else\n{CPP}\n#endif\n",
        f"{CPP}\n{CPP.replace('TORCH_LIBRARY', 'STABLE_TORCH_LIBRARY')}",
    ],
)
def test_one_build_has_one_of_several_definitions(tmp_path: Path, text: str) -> None:
    assert "AOTI417" not in {code for _, code in codes(found(tmp_path, ops_cpp=text))}


# ---------------------------------------------------------------- AOTI417, in C++ and in both

ONE = """
#include <torch/library.h>
at::Tensor twice(const at::Tensor& x) { return x * 2; }
TORCH_LIBRARY(shop, m) { m.def("twice(Tensor x) -> Tensor", &twice); }
"""
TWO = ONE.replace("twice", "thrice")
SETUP = """
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CppExtension

setup(name="shop", ext_modules=[CppExtension("shop", ["one.cpp", "two.cpp"])], cmdclass={"build_ext": BuildExtension})
"""
LOADED = """
import os
import torch
from torch.utils.cpp_extension import load

HERE = os.path.dirname(os.path.abspath(__file__))
load("shop", sources=[os.path.join(HERE, "one.cpp")], is_python_module=False)
"""
TWICE = """
@torch.library.custom_op("shop::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2
"""


def twice(results: list[tuple[str, str, str]]) -> list[tuple[str, str]]:
    """Severity and the last words of what AOTI417 says."""
    return [(severity, message.rsplit(": ", 1)[1]) for severity, code, message in results if code == "AOTI417"]


ENDS, RAISES = "loading this ends the process", "this one raises"
MAY_FAIL = "whichever comes second in a process fails"


@pytest.mark.parametrize("script", [SETUP, LOADED.replace('[os.path.join(HERE, "one.cpp")]', '["one.cpp", "two.cpp"]')])
def test_two_blocks_of_one_library(script: str, tmp_path: Path) -> None:
    assert twice(found(tmp_path, one_cpp=ONE, two_cpp=TWO, build_py=script)) == [("error", ENDS)]


@pytest.mark.parametrize(
    ("one", "two", "script"),
    [
        (ONE, TWO.replace("TORCH_LIBRARY", "TORCH_LIBRARY_FRAGMENT"), SETUP),
        (ONE, TWO.replace("shop,", "other,"), SETUP),
        # Two libraries, sources that nobody lists, and blocks that some builds leave out.
        (ONE, TWO, SETUP.replace('"two.cpp"', '"three.cpp"')),
        (ONE, TWO, SETUP.replace('["one.cpp", "two.cpp"]', "glob.glob('*.cpp')")),
        (ONE, TWO, "import torch\n"),
        (f"#ifdef OLD\n{ONE}#endif\n", TWO, SETUP),
        (f"#if OLD\n{ONE}#endif\n", f"#if !OLD\n{TWO}#endif\n", SETUP),
    ],
)
def test_blocks_that_need_not_meet(one: str, two: str, script: str, tmp_path: Path) -> None:
    assert twice(found(tmp_path, one_cpp=one, two_cpp=two, build_py=script)) == []


def test_a_fragment_that_defines_what_the_block_defines(tmp_path: Path) -> None:
    two = ONE.replace("TORCH_LIBRARY", "TORCH_LIBRARY_FRAGMENT")
    assert twice(found(tmp_path, one_cpp=ONE, two_cpp=two, build_py=SETUP)) == [("error", ENDS)]


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (LOADED + TWICE, [("error", RAISES)]),
        (f"import torch\n{TWICE}{LOADED}", [("error", ENDS)]),
        (LOADED + 'library = torch.library.Library("shop", "DEF")\n', [("error", RAISES)]),
        (LOADED + 'torch.library.define("shop::twice", "(Tensor x) -> Tensor")\n', [("error", RAISES)]),
        # Another op, a fragment, an implementation, a library of another build, and what is handled.
        (LOADED + TWICE.replace("twice", "four"), []),
        (LOADED + 'library = torch.library.Library("shop", "FRAGMENT")\n', []),
        (LOADED + 'torch.library.impl("shop::twice", "CUDA", lambda x: x * 2)\n', []),
        (LOADED.replace("one.cpp", "two.cpp") + TWICE, [("info", MAY_FAIL)]),
        ("import torch\n" + TWICE, [("info", MAY_FAIL)]),
        (f"{LOADED}try:\n{TWICE.replace(chr(10), chr(10) + '    ')}\nexcept RuntimeError:\n    pass\n", []),
        (f'import torch\nif not hasattr(torch.ops.shop, "twice"):\n{TWICE.replace(chr(10), chr(10) + "    ")}\n', []),
        (
            "import torch\ntry:\n    torch.ops.load_library('libshop.so')\n"
            f"except OSError:\n{TWICE.replace(chr(10), chr(10) + '    ')}\n",
            [],
        ),
    ],
)
def test_defined_in_cpp_and_in_python(script: str, said: list[tuple[str, str]], tmp_path: Path) -> None:
    assert twice(found(tmp_path, one_cpp=ONE, two_cpp=TWO, net_py=script)) == said


# ---------------------------------------------------------------- C++ in the texts of a script

INLINE = """
import torch
from torch.utils.cpp_extension import load_inline

SOURCE = '''
at::Tensor pool_meta(const at::Tensor& points, c10::SymInt channels) {
  return at::empty_symint({points.sym_size(0), channels}, points.options());
}

TORCH_LIBRARY(shop, m) { m.def("pool(Tensor points, SymInt channels) -> Tensor"); }
TORCH_LIBRARY_IMPL(shop, Meta, m) { m.impl("pool", &pool_meta); }
'''
load_inline("shop", cpp_sources=SOURCE, is_python_module=False)
"""
USE = EXPORT.replace('torch.ops.load_library("libshop.so")', "")


def places(folder: Path, script: str) -> list[tuple[str, str]]:
    """The codes and the text that each finding stands at, of a script."""
    (folder / "net.py").write_text(script, encoding="utf-8")
    document = check(Options([str(folder)], Config(), cache=False, torch_version="2.13", pedantic=True)).document
    lines = script.splitlines()
    return [
        (item["code"], lines[item["location"]["row"] - 1][item["location"]["column"] - 1 :].split("\n")[0])
        for item in document["diagnostics"]
    ]


def test_a_text_that_is_right(tmp_path: Path) -> None:
    assert places(tmp_path, INLINE + USE) == []


@pytest.mark.parametrize(
    ("old", "new", "code", "place"),
    [
        ("TORCH_LIBRARY_IMPL(shop, Meta", "TORCH_LIBRARY_IMPL(shop, CUDA", "AOTI401", 'm.def("pool('),
        ("points.sym_size(0)", "points.size(0)", "AOTI421", "points.size(0)"),
        ("points, SymInt channels)", "points, Int channels)", "AOTI414", 'm.def("pool('),
        ("cpp_sources=SOURCE", "cpp_sources=[SOURCE, 'int f();'], cuda_sources=''", "", ""),
    ],
)
def test_a_fault_is_found_at_its_place_in_the_text(old: str, new: str, code: str, place: str, tmp_path: Path) -> None:
    said = places(tmp_path, INLINE.replace(old, new) + USE)
    assert [one for one, _ in said] == ([code] if code else [])
    assert all(text.startswith(place) for _, text in said)


def test_a_text_that_does_not_stand_in_the_script_as_it_is(tmp_path: Path) -> None:
    wrong = INLINE.replace("shop, Meta", "shop, CUDA").replace("SOURCE = '''", "SOURCE = '''// a\\tb")
    assert places(tmp_path, wrong + USE) == [("AOTI401", "cpp_sources=SOURCE, is_python_module=False)")]


def test_a_text_and_python_define_one_op(tmp_path: Path) -> None:
    again = TWICE.replace("twice", "pool").replace("x: torch.Tensor", "points: torch.Tensor, channels: int")
    assert [code for code, _ in places(tmp_path, INLINE + again)] == ["AOTI417"]
    assert [code for code, _ in places(tmp_path, f"import torch\n{again}{INLINE}")] == ["AOTI417"]


def test_a_text_with_a_part_that_is_not_known(tmp_path: Path) -> None:
    script = INLINE.replace("SOURCE = '''", "import sys\nSOURCE = sys.argv[1] + '''")
    fake = FAKE + "\n"
    assert places(tmp_path, script.replace("shop, Meta", "shop, CUDA") + fake + USE) == []


# ---------------------------------------------------------------- AOTI420, in a C++ program

OPS = """
#include <torch/library.h>
at::Tensor twice(const at::Tensor& x) { return x * 2; }
TORCH_LIBRARY(shop, m) { m.def("twice(Tensor x) -> Tensor"); }
TORCH_LIBRARY_IMPL(shop, CPU, m) { m.impl("twice", &twice); }
TORCH_LIBRARY_IMPL(shop, Meta, m) { m.impl("twice", [](const at::Tensor& x) { return at::empty_like(x); }); }
"""
HOST = """
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>

int main() {
  torch::inductor::AOTIModelPackageLoader loader("out/net.pt2");
}
"""
BUILD = """
import torch

torch.ops.load_library("libops.so")

class Net(torch.nn.Module):
    def forward(self, x):
        return torch.ops.shop.twice(x) + 1

program = torch.export.export(Net(), (torch.ones(4),))
torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
"""
IN_PYTHON = (
    TWICE
    + """
@twice.register_fake
def _(x):
    return torch.empty_like(x)
"""
)
PROGRAM = (
    "find_package(Torch REQUIRED)\nadd_executable(host host.cpp)\ntarget_link_libraries(host ${TORCH_LIBRARIES})\n"
)
LIBRARY = "add_library(ops SHARED ops.cpp)\n"
LINKED = f"{LIBRARY}{PROGRAM}target_link_libraries(host ops)\n"


def of_host(folder: Path, cmake: str, **files: str) -> list[tuple[str, str]]:
    """Severity and message of what AOTI420 says of `host.cpp`."""
    if cmake:
        (folder / "CMakeLists.txt").write_text(cmake, encoding="utf-8")
    given = {"host_cpp": HOST, "build_py": BUILD, **files}
    results = found(folder, None, True, **given)
    return [(severity, message) for severity, code, message in results if code == "AOTI420"]


def test_a_program_without_the_library_of_an_op(tmp_path: Path) -> None:
    [(severity, message)] = of_host(tmp_path, LIBRARY + PROGRAM, ops_cpp=OPS)
    assert severity == "warning"
    assert "shop::twice, which nothing that this program is built of registers" in message


MORE = 'torch._inductor.aoti_compile_and_package(program, package_path="other.pt2")\n'


@pytest.mark.parametrize(("more", "said"), [("", ["warning"]), (MORE, [])])
def test_a_program_that_is_given_the_package(more: str, said: list[str], tmp_path: Path) -> None:
    """It is the one that the project makes, if it makes no other."""
    host = HOST.replace('"out/net.pt2"', "argv[1]")
    results = of_host(tmp_path, LIBRARY + PROGRAM, ops_cpp=OPS, host_cpp=host, build_py=BUILD + more)
    assert [severity for severity, _ in results] == said


def test_a_program_and_an_op_of_python(tmp_path: Path) -> None:
    script = BUILD.replace('torch.ops.load_library("libops.so")', IN_PYTHON)
    [(severity, message)] = of_host(tmp_path, PROGRAM, build_py=script)
    assert severity == "warning"
    assert "shop::twice, which only Python defines" in message


@pytest.mark.parametrize(("more", "said"), [({}, "warning"), ({"shop_cpp": "// shop: built elsewhere"}, "info")])
def test_an_op_of_python_where_nobody_sees_how_the_program_is_built(
    more: dict[str, str], said: str, tmp_path: Path
) -> None:
    """C++ that speaks of the namespace may have to do with an op that nobody sees."""
    script = BUILD.replace('torch.ops.load_library("libops.so")', IN_PYTHON)
    assert [severity for severity, _ in of_host(tmp_path, "", build_py=script, **more)] == [said]


@pytest.mark.parametrize(
    ("cmake", "files"),
    [
        (LINKED, {}),
        (PROGRAM.replace("host.cpp", "host.cpp ops.cpp"), {}),
        ("", {}),
        (PROGRAM + "target_link_libraries(host our_ops)\n", {}),
        (LIBRARY + PROGRAM, {"host_cpp": HOST.replace("int main() {", 'int main() { dlopen("libops.so", 2);')}),
        (LIBRARY + PROGRAM, {"host_cpp": HOST.replace("out/net", "other")}),
        (LIBRARY + PROGRAM, {"host_cpp": HOST.replace('"out/net.pt2"', "where(argv[1])")}),
        (LIBRARY + PROGRAM, {"host_cpp": HOST.replace("int main", "int serve")}),
        # A kernel for no key is taken apart when the model is compiled.
        (LIBRARY + PROGRAM, {"ops_cpp": OPS.replace('-> Tensor"', '-> Tensor", &twice')}),
        (LIBRARY + PROGRAM, {"build_py": BUILD.replace("torch.ops.shop.twice(x)", "x")}),
    ],
)
def test_a_program_that_may_have_the_op(cmake: str, files: dict[str, str], tmp_path: Path) -> None:
    assert of_host(tmp_path, cmake, **{"ops_cpp": OPS, **files}) == []


SERVE = """
import torch
{before}
run = torch._inductor.aoti_load_package("net.pt2")
run(torch.ones(4))
"""


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("", ["error"]),
        ('torch.ops.load_library("libops.so")', []),
        ('from torch.utils.cpp_extension import load\nload("ops", ["ops.cpp"], is_python_module=False)', []),
        (
            "from torch.utils.cpp_extension import load_inline\n"
            'load_inline("ops", open("ops.cpp").read(), is_python_module=False)',
            [],
        ),
        ('import ctypes\nctypes.CDLL("libops.so")', []),
    ],
)
def test_a_script_that_loads_the_library_of_an_op(before: str, said: list[str], tmp_path: Path) -> None:
    results = found(tmp_path, ops_cpp=OPS, build_py=BUILD, serve_py=SERVE.format(before=before))
    assert [severity for severity, code, _ in results if code == "AOTI420"] == said
