"""The script that runs one launch alone: what is read out of a package, and the scripts themselves, run by torch."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from aoti_lint.rerun.repro.kernel import command, source
from aoti_lint.rerun.result import Launch, Place
from aoti_lint.rerun.wrapper.arguments import Dtype, Output, Tensor, Values, arguments, solve, split
from aoti_lint.rerun.wrapper.errors import NoRepro
from aoti_lint.rerun.wrapper.statements import read
from aoti_lint.tensors.dumps import Dump
from aoti_lint.tensors.dumps import read as read_dumps

torch = pytest.importorskip("torch")

from aoti_lint.rerun.repro.write import write  # noqa: E402

SAMPLE = Path(__file__).parents[1] / "scripts" / "sample.py"

WRAPPER = """\
void AOTInductorModel::run_impl(
) {
    auto arg4_1 = std::move(inputs[0]);
    [[maybe_unused]] auto& a_weight = constants_->at(0);
    int64_t s77 = arg4_1_size[0];
    int64_t s95 = s77;
    const int64_t int_array_0[] = {7L*s77, 16L};
    static constexpr int64_t int_array_1[] = {16L, 1L};
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(2, int_array_0, int_array_1, cached_torch_dtype_float32, \
cached_torch_device_type_cpu, this->device_idx_, &buf0_handle));
    // [Provenance debug handles] aoti_torch_cpu_addmm_out:1
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_cpu_addmm_out(buf0, a_weight, arg4_1, arg4_1, 1L, 1L));
    auto buf1 = std::move(buf0);  // reuse
    int32_t var_0 = 0;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_cpu_sort_stable(buf1, &var_0, 2L, 0, &buf2_handle, &buf3_handle));
    cpp_fused_add_0((const float*)(buf1.data_ptr()), (float*)(buf2.data_ptr()), s77);
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_proxy_executor_call_function(proxy_executor, 0, 1, \
std::array<int64_t, 1>{2L*s77}.data(), 2, std::array<AtenTensorHandle, 2>{buf2, buf4}.data()));
} // AOTInductorModel::run_impl
    cpp_fused_after_1((float*)(buf9.data_ptr()));
"""
NODE = {"target": "lab::pad", "outputs": [{"as_tensor": {"name": "buf4"}}]}


def test_the_calls_of_a_model() -> None:
    run = read(WRAPPER, (NODE,))
    assert [(call.name, call.kind, sorted(call.writes)) for call in run.calls] == [
        ("aoti_torch_cpu_addmm_out", "extern", ["buf0"]),
        ("aoti_torch_cpu_sort_stable", "extern", ["buf2", "buf3"]),
        ("cpp_fused_add_0", "kernel", ["buf2"]),
        ("lab::pad", "op", ["buf4"]),
    ]
    assert run.memory("buf1") == "buf0"
    assert run.calls[1].is_called("at::_ops::sort_stable::call")
    assert run.calls[3].is_called("torch.ops.lab.pad.default")
    assert not run.calls[3].is_called("lab::padded")


@pytest.mark.parametrize("shapes", [{"arg4_1": (3, 16)}, {"buf0": (21, 16)}], ids=["from an input", "from a buffer"])
def test_sizes_are_learned_from_saved_shapes(shapes: dict[str, tuple[int, ...]]) -> None:
    run = read(WRAPPER, (NODE,))
    assert solve(run, shapes) == {"s77": 3, "s95": 3, "var_0": 0}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("buf0", Tensor("buf0")),
        ("7L*s77", 21),
        ("-1L", -1),
        ("0.5", 0.5),
        ("1e-05", 1e-05),
        ("-std::numeric_limits<double>::infinity()", float("-inf")),
        ("nullptr", None),
        ("&var_0", 0),
        ("&buf6_handle", Output("buf6")),
        ("&temporary_reference(buf15.get())", Tensor("buf15")),
        ("std::array<int64_t, 2>{1L, s77}.cbegin()", (1, 3)),
        ("std::array<int64_t, 0>{}.data()", ()),
        ("cached_torch_dtype_float32", Dtype("float32")),
        ('"two\\"words"', 'two"words'),
        (
            "wrap_with_raii_handle_if_needed(reinterpret_tensor_wrapper(a_weight, 2, int_array_0, int_array_1, 16L))",
            Tensor("a_weight", ((21, 16), (16, 1), 16)),
        ),
    ],
)
def test_arguments_in_cpp(text: str, value: object) -> None:
    assert Values(read(WRAPPER, (NODE,)), {"s77": 3}).value(text) == value


@pytest.mark.parametrize("text", ["u0 + 1", "some_call(buf0)", "reinterpret_tensor_wrapper(buf0, 2)"])
def test_what_is_not_known_is_said(text: str) -> None:
    with pytest.raises(NoRepro):
        Values(read(WRAPPER, (NODE,)), {}).value(text)


def test_lists_are_split_outside_of_brackets_templates_and_strings() -> None:
    text = 'f(a, std::array<int64_t, 2>{1L, 2L}.data(), g(b, c), ", )", static_cast<int64_t>(d))'
    assert arguments(text, 1) == (
        "a",
        "std::array<int64_t, 2>{1L, 2L}.data()",
        "g(b, c)",
        '", )"',
        "static_cast<int64_t>(d)",
    )
    assert split("") == ()


def test_the_source_and_the_flags_of_a_kernel() -> None:
    kernels = (
        '#include "/tmp/torchinductor/pi/prefix.h"\nextern "C"  void  cpp_a_0(float* p)\n{\n}\n'
        '#include "/tmp/torchinductor/pi/prefix.h"\ninline int help() { return 1; }\n'
        'extern "C"  void  cpp_b_1(float* p)\n{\n}\n'
        "// Compile cmd\n// clang++ /tmp/k.cpp -D A -D  B=1 -O3 -fopenmp -fPIC -mavx2 -std=c++20 -include /tmp/x.h"
        " -I/usr/include -c -o /tmp/k.o\n"
    )
    found = source(kernels, "cpp_b_1")
    assert found.startswith("#include <torch/csrc/inductor/cpp_prefix.h>\ninline int help()")
    assert "cpp_a_0" not in found
    assert command(kernels) == ("clang++", ["-DA", "-DB=1", "-O3", "-fopenmp", "-mavx2", "-std=c++20"])
    with pytest.raises(NoRepro, match="does not have the source of cpp_c_2"):
        source(kernels, "cpp_c_2")


class Built(NamedTuple):
    """The sample's package and what was saved of its run."""

    package: str
    dumps: list[Dump]
    folder: Path


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("sample")
    flags = {"AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER": "1", "TORCHINDUCTOR_CACHE_DIR": str(folder / "cache")}
    # Its last kernel writes outside of its tensor: the process may die of it, at its end.
    subprocess.run([sys.executable, str(SAMPLE)], cwd=folder, env={**os.environ, **flags}, capture_output=True)
    return Built(str(folder / "sample.pt2"), read_dumps(str(folder)), folder)


@pytest.fixture
def alone(built: Built, tmp_path: Path) -> Callable[..., tuple[int, str]]:
    """Runs a launch alone; gives the exit code and what was said."""

    def run(number: int, name: str, *words: str) -> tuple[int, str]:
        place = Place(path="model.py", line=3, text='"""\\')
        script = write(
            Launch(number=number, name=name, kind="kernel", places=(place,)), built.package, built.dumps, str(tmp_path)
        )
        done = subprocess.run([sys.executable, script, *words], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    return run


def test_an_operator_of_torch_alone(alone: Callable[..., tuple[int, str]]) -> None:
    code, said = alone(1, "aoti_torch_cpu_addmm_out")
    assert code == 0, said
    assert "calling aten.addmm.out" in said
    assert "The same as in the model." in said


def test_a_kernel_alone(alone: Callable[..., tuple[int, str]]) -> None:
    code, said = alone(2, "cpp_fused_log_relu_sub_0")
    assert code == 0, said
    assert "before buf1: float32[5, 16]" in said
    assert "50 NaN" in said
    assert "The same as in the model." in said


def test_an_operator_whose_results_were_not_saved(alone: Callable[..., tuple[int, str]]) -> None:
    code, said = alone(3, "at::_ops::topk::call")
    assert code == 0, said
    assert "there is nothing to compare" in said


def test_a_custom_operator_alone(alone: Callable[..., tuple[int, str]]) -> None:
    assert "sample::narrow is not registered" in alone(4, "sample::narrow")[1]
    code, said = alone(4, "sample::narrow", str(SAMPLE))
    assert code == 0, said
    assert "after  buf6: float32[5, 10]" in said


def test_a_kernel_that_writes_outside_of_its_tensor(alone: Callable[..., tuple[int, str]]) -> None:
    """The fake of the operator before it promises twelve columns where there are ten."""
    code, said = alone(5, "cpp_fused_mul_sin_1")
    assert code == 1
    assert "It WRITES OUTSIDE of buf7." in said


@pytest.mark.parametrize(
    ("name", "dumps", "reason"),
    [
        ("cpp_fused_other_0", True, "does not call cpp_fused_other_0"),
        ("cpp_fused_log_relu_sub_0", False, "not known from what was saved"),
    ],
)
def test_why_there_is_no_script(name: str, dumps: bool, reason: str, built: Built, tmp_path: Path) -> None:
    launch = Launch(number=9, name=name, kind="kernel")
    with pytest.raises(NoRepro, match=reason):
        write(launch, built.package, built.dumps if dumps else [], str(tmp_path))
    with pytest.raises(NoRepro, match="No such file"):
        write(launch, str(tmp_path / "none.pt2"), [], str(tmp_path))


TRITON = """\
void call_triton_poi_fused_sin_0(const buf_type_& in_ptr0, const buf_type_& out_ptr0, int64_t xnumel) {
    /*
    async_compile.triton('triton_poi_fused_sin_0', '''
    import triton

    @triton_heuristics.pointwise(inductor_meta={'mutated_arg_names': []})
    @triton.jit
    def triton_poi_fused_sin_0(in_ptr0, out_ptr0, xnumel, XBLOCK : tl.constexpr):
        pass
    ''', device_str='cuda')
    */
}
void AOTInductorModel::run_impl(
) {
    auto arg0_1 = std::move(inputs[0]);
    int64_t s77 = arg0_1_size[0];
    int64_t triton_poi_fused_sin_0_xnumel = 4L*s77;
    call_triton_poi_fused_sin_0(arg0_1, buf0, triton_poi_fused_sin_0_xnumel, this->device_idx_, stream, kernels, \
this->cubin_dir_);
} // AOTInductorModel::run_impl
"""


@pytest.mark.parametrize("with_source", [True, False])
def test_a_triton_kernel_is_run_by_inductor(with_source: bool, tmp_path: Path) -> None:
    """Not run: there is no GPU in these tests. Without its source in the package there is only the binary."""
    package = tmp_path / "model.pt2"
    text = TRITON if with_source else TRITON.replace("async_compile", "nothing")
    with zipfile.ZipFile(package, "w") as archive:
        archive.writestr("model/data/aotinductor/model/x.wrapper.cpp", text)
    (tmp_path / "tmp").mkdir()
    for when, name in (("before", "arg0_1"), ("before", "buf0"), ("after", "buf0")):
        torch.save(torch.ones(3, 4), tmp_path / "tmp" / f"{when}_launch_triton_poi_fused_sin_0_{name}.pt")
    launch = Launch(number=1, name="triton_poi_fused_sin_0", kind="kernel")
    folder = tmp_path / "alone"
    if not with_source:
        with pytest.raises(NoRepro, match="only its binary"):
            write(launch, str(package), read_dumps(str(tmp_path)), str(folder))
        return
    script = Path(write(launch, str(package), read_dumps(str(tmp_path)), str(folder))).read_text(encoding="utf-8")
    compile(script, "repro.py", "exec")
    assert 'kernel.run(given["arg0_1"], given["buf0"], 12, stream=' in script
    assert "for name in ['buf0']" in script
    kernel = (folder / "kernel.py").read_text(encoding="utf-8")
    compile(kernel, "kernel.py", "exec")
    assert kernel.startswith("import triton")
    assert {path.name for path in (folder / "tensors").iterdir()} == {
        "before_arg0_1.pt", "before_buf0.pt", "after_buf0.pt",
    }  # fmt: skip
