"""The launches of packages, read from their sources; what the debug printer printed, put beside them."""

from __future__ import annotations

import json
from pathlib import Path

from aoti_lint.rerun.judge.suspects import by_kernels, by_values
from aoti_lint.rerun.read.printed_values import blocks, calls
from aoti_lint.rerun.wrapper import launches
from aoti_lint.triage.diagnose import diagnose

CHAIN = Path(__file__).parents[1] / "data" / "chain"
"""A model compiled by torch 2.13 for the CPU at printer level 2: linear, log of what may be negative, a custom op that
pads, linear, softmax; and what a call of it printed."""

TRITON = """\
template <typename in_ptr0_type_, typename out_ptr0_type_, typename kernels_type_>
static inline void call_triton_poi_fused_add_0(
    const in_ptr0_type_& in_ptr0,
    const out_ptr0_type_& out_ptr0,
    int64_t xnumel, int32_t device_idx_, cudaStream_t stream_, kernels_type_& kernels_) {
    launchKernel(kernels_.triton_poi_fused_add_0, grid_0, grid_1, grid_2, 4, 0, kernel_args_, stream_);
}
template <typename x_type_, typename index_type_, typename kernels_type_>
static inline void call_gather_kernel_0(const x_type_& x, const index_type_& index, int32_t device_idx_) {
}
void AOTInductorModel::run_impl(
    AtenTensorHandle* input_handles
) {
    auto arg0_1 = std::move(inputs[0]);
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(2, int_array_0, int_array_1, cached, cuda, 0, &buf0_handle));
    RAIIAtenTensorHandle buf0(buf0_handle);
    printf("[ before_launch: triton_poi_fused_add_0 ]");
    call_triton_poi_fused_add_0(arg0_1, buf0, 40L*s77, this->device_idx_, stream, kernels, this->cubin_dir_);
    printf("[ after_launch: triton_poi_fused_add_0 ]");
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_cuda_mm_out(buf1, buf0, arg0_1));
    call_gather_kernel_0(buf1, buf2, this->device_idx_, stream, kernels, this->cubin_dir_);
} // AOTInductorModel::run_impl
"""


def chain() -> launches.Program:
    def text(name: str) -> str:
        return (CHAIN / name).read_text(encoding="utf-8")

    nodes = tuple(entry["node"] for entry in json.loads(text("wrapper.json"))["nodes"])
    return launches.parse(text("wrapper.cpp"), text("kernel.cpp"), nodes, json.loads(text("kernel_information.json")))


def printed() -> list[str]:
    return (CHAIN / "printed.txt").read_text(encoding="utf-8").splitlines()


def test_the_order_of_launches_with_operators_that_print_nothing() -> None:
    assert [(one.name, one.kind, one.reads, one.writes) for one in chain().launches] == [
        ("aoti_torch_cpu_addmm_out", "extern", ("a_bias", "arg4_1", "a_weight"), ("buf0",)),
        ("cpp_fused_log_pad2_relu_sub_0", "kernel", ("buf1",), ("buf1",)),
        ("lab::pad2", "op", ("buf1",), ("buf3",)),
        ("cpp_fused_1", "kernel", (), ("buf4",)),
        ("aoti_torch_cpu_addmm_out", "extern", ("buf4", "buf3", "b_weight"), ("buf5",)),
        ("cpp_fused__softmax_2", "kernel", ("buf5",), ("buf6", "buf7")),
    ]


def test_each_launch_has_the_lines_it_was_made_from_and_its_source() -> None:
    fused = chain().launches[1]
    assert [(place.path, place.line, place.text) for place in fused.places] == [
        ("/app/model.py", 15, "h = torch.log(h - 0.5)"),  # the other two are the work of launches 3 and 1
        ("/app/model.py", 16, "p = torch.ops.lab.pad2(h)"),
        ("/app/model.py", 14, "h = torch.relu(self.a(x))"),
    ]
    assert fused.source.startswith('extern "C"  void  cpp_fused_log_pad2_relu_sub_0(')
    assert "tmp4.log()" in fused.source


def test_producers_go_through_reused_memory_to_the_input() -> None:
    program = chain()
    softmax = program.launches[5]
    assert [one.number for one in program.producers(softmax, 9)] == [5, 4, 3, 2, 1]
    assert program.producer("buf1", 2) == program.launches[0]
    assert program.producer("arg4_1", 6) is None


def test_launches_of_triton_kernels() -> None:
    program = launches.parse(TRITON, "", (), {})
    assert [(one.name, one.kind, one.reads, one.writes) for one in program.launches] == [
        ("triton_poi_fused_add_0", "kernel", ("arg0_1",), ("buf0",)),
        ("aoti_torch_cuda_mm_out", "extern", ("buf0", "arg0_1"), ("buf1",)),
        ("gather_kernel_0", "kernel", ("buf1", "buf2"), ("buf1", "buf2")),
    ]


def test_a_file_that_is_no_package_has_no_launches(tmp_path: Path) -> None:
    path = tmp_path / "model.pt2"
    assert launches.read(str(path)).launches == []
    path.write_bytes(b"PK\x03\x04 nothing")
    assert launches.read(str(path)).launches == []


def test_values_are_put_to_their_launches_and_fresh_memory_is_not_blamed() -> None:
    (call,) = calls(blocks(printed()), chain())
    assert [seen.launch.number for seen in call] == [1, 2, 4, 5, 6]
    result = call[0].before[0]
    assert (result.argument, result.shape, result.dtype, result.fresh) == ("buf0", (4, 16), "float32", True)
    first = by_values(call, chain()).culprit
    assert first is not None
    assert first.name == "cpp_fused_log_pad2_relu_sub_0"


def test_bad_values_are_followed_back_past_an_operator() -> None:
    program = chain()
    (call,) = calls(blocks(printed()), program)
    chase = by_values(call, program, program.launches[5])
    assert chase.culprit is not None
    # what the operator was given is bad, so its producer is asked for; it was printed
    assert chase.culprit.name == "cpp_fused_log_pad2_relu_sub_0"
    assert [seen.launch.number for seen in chase.chain] == [6, 5, 2]


def test_kernels_that_were_not_printed_are_asked_for() -> None:
    program = chain()
    (call,) = calls([block for block in blocks(printed()) if block.kernel == "cpp_fused__softmax_2"], program)
    chase = by_values(call, program)
    assert (chase.culprit, chase.ask) == (None, ("aoti_torch_cpu_addmm_out",))


def test_an_operator_that_was_given_good_values_is_blamed() -> None:
    program = chain()
    lines = printed()
    text = "\n".join(lines)
    # the log is harmless: only what the operator gives has NaN
    start, end = text.index("before_launch - cpp_fused_log"), text.index("before_launch - cpp_fused_1")
    good = text[:start] + text[start:end].replace("nan", "0").replace("inf", "0") + text[end:]
    (call,) = calls(blocks(good.splitlines()), program)
    chase = by_values(call, program)
    assert chase.culprit is not None
    assert (chase.culprit.kind, chase.culprit.name) == ("op", "lab::pad2")
    assert [value.argument for value in chase.culprit.values] == ["buf1", "buf3"]


def died(*lines: str) -> list[tuple[str, str, bool]]:
    found = diagnose(lines)
    return [(one.kind, one.name, one.sure) for one in by_kernels(found.kernels, chain(), "the process died (SIGSEGV)")]


def test_the_kernel_that_did_not_end() -> None:
    before, after = "[ before_launch: {} ]", "[ after_launch: {} ]"
    addmm, fused = "aoti_torch_cpu_addmm_out", "cpp_fused_log_pad2_relu_sub_0"
    assert died(before.format(addmm), after.format(addmm), before.format(fused)) == [("kernel", fused, True)]
    # with another library's lines in between
    lines = [before.format(addmm), "INFO: serving", f"12:00 {after.format(addmm)}", before.format(fused), "[warn] x"]
    assert died(*lines) == [("kernel", fused, True)]


def test_the_operator_between_two_kernels() -> None:
    before, after = "[ before_launch: {} ]", "[ after_launch: {} ]"
    names = ("aoti_torch_cpu_addmm_out", "cpp_fused_log_pad2_relu_sub_0")
    lines = [text.format(name) for name in names for text in (before, after)]
    assert died(*lines) == [("op", "lab::pad2", True)]
    # the first addmm is followed by a kernel that prints
    assert died(before.format(names[0]), after.format(names[0])) == []
