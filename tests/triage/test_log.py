"""Reading logs: prefixes, encodings, the user's line, the order of causes, the printer's kernels."""

from __future__ import annotations

import pytest

from aoti_lint.triage.diagnose import Diagnosis, diagnose
from aoti_lint.triage.log import LONGEST, clean, decoded

TRACEBACK = """\
Traceback (most recent call last):
  File "/home/me/serve.py", line 31, in <module>
    main()
  File "/home/me/serve.py", line 12, in main
    run(x)
  File "/opt/venv/lib/python3.11/site-packages/torch/_inductor/package/package.py", line 240, in __call__
    outputs = self.loader.boxed_run(flat_inputs)
"""


def names(found: Diagnosis) -> list[str]:
    return [one.cause.name for one in found.causes]


@pytest.mark.parametrize(
    "line",
    [
        "[rank3]: RuntimeError: x",
        "2026-11-20T09:12:11.1234567Z RuntimeError: x",
        "2026-11-20 09:12:11,123 RuntimeError: x",
        "serve-1  | RuntimeError: x",
        "(EngineCore pid=4242) RuntimeError: x",
        "E   RuntimeError: x",
        "\x1b[31mRuntimeError\x1b[0m: x",
        "RuntimeError: x\r\n",
        "serve-1  | [rank0]: RuntimeError: x",
    ],
)
def test_what_others_put_before_a_line_is_taken_off(line: str) -> None:
    assert clean(line) == "RuntimeError: x"


def test_lines_of_any_length_are_read() -> None:
    assert len(clean("x" * 10_000_000)) == LONGEST
    assert names(diagnose(["y" * 10_000_000, "double free or corruption (out)"])) == ["heap-corrupted"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_logs_are_read_in_the_encodings_that_shells_write(encoding: str) -> None:
    assert decoded("RuntimeError: é".encode(encoding)) == "RuntimeError: é"


def test_what_is_no_text_is_no_reason_to_stop() -> None:
    assert decoded(b"\xff\xfa\x00 Segmentation fault").endswith("Segmentation fault")


def test_the_line_of_the_user_is_the_innermost_of_the_traceback() -> None:
    found = diagnose((TRACEBACK + "RuntimeError: expected inputs vector size to be 1, but got 2").splitlines())
    frame = found.causes[0].frame
    assert frame is not None
    assert (frame.path, frame.row, frame.function) == ("/home/me/serve.py", 12, "main")


def test_what_cpp_prints_before_the_traceback_belongs_to_it() -> None:
    message = "Error: input_handles[0]: unmatched dim value at 0, expected: 2, but got: 5"
    found = diagnose(
        [message, *TRACEBACK.splitlines(), "RuntimeError: run_func_( … ) API call failed at x.cpp, line 4"]
    )
    assert names(found) == ["static-size", "api-call-failed"]
    assert found.causes[0].frame is not None
    assert found.causes[0].frame.row == 12


def test_what_export_says_to_have_caused_it_is_the_line() -> None:
    log = [
        *TRACEBACK.replace("serve", "build").splitlines(),
        "torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard on data-dependent "
        "expression u0 > 3 (unhinted: u0 > 3).  (Size-like symbols: u0)",
        "",
        "consider using data-dependent friendly APIs such as guard_or_false.",
        "Caused by: (models/net.py:6 in forward)",
    ]
    frame = diagnose(log).causes[0].frame
    assert frame is not None
    assert (frame.path, frame.row, frame.function) == ("models/net.py", 6, "forward")


def test_a_frame_of_torch_is_not_the_users() -> None:
    found = diagnose(
        [
            "GuardOnDataDependentSymNode: Could not guard on data-dependent expression Eq(u0, 1)",
            "Caused by: (_ops.py:920 in decompose)",
            "Caused by: (_export/non_strict_utils.py:1205 in __torch_function__)",
        ]
    )
    assert found.causes[0].frame is None


def test_pytest_names_the_line_in_its_own_way() -> None:
    log = [
        "tests/test_net.py:14: in test_export",
        "    export(net, x)",
        "E   ValueError: Expecting `args` to be a tuple of example positional inputs, got <class 'int'>",
    ]
    frame = diagnose(log).causes[0].frame
    assert frame is not None
    assert (frame.path, frame.row) == ("tests/test_net.py", 14)


def test_the_misleading_message_does_not_hide_the_real_one() -> None:
    found = diagnose(
        [
            "W1120 package.py:120] Loading outdated pt2 file. Please regenerate your package.",
            "RuntimeError: Failed to initialize zip archive: file open failed",
        ]
    )
    assert names(found) == ["file-missing", "outdated-package"]


def test_of_two_failures_the_last_ended_the_run() -> None:
    found = diagnose(
        [
            "RuntimeError: Constant not found: weight",
            "during the fallback:",
            "RuntimeError: expected inputs vector size to be 1, but got 2",
        ]
    )
    assert names(found) == ["number-of-inputs", "constant-not-found"]


def test_a_message_that_comes_often_is_said_once() -> None:
    found = diagnose(["RuntimeError: Constant not found: weight"] * 1000)
    assert [one.times for one in found.causes] == [1000]


def test_warnings_are_no_causes() -> None:
    found = diagnose(["skipping cudagraphs due to cpu device (x)", "done"])
    assert found.causes == []
    assert [one.cause.name for one in found.notes] == ["cuda-graphs-skipped"]


def test_talk_about_errors_is_no_error() -> None:
    talk = [
        "loading weights",
        "0 errors",
        "see docs about segmentation and faults",
        "Aborted requests: 0",
        "killed 3 stale workers",
        "Killed 3 stale workers",
        "commit 1: fix segmentation fault when the list is empty",
        'commit 2: catch "CUDA out of memory" and try again',
        "tests/test_run.py::test_says[RuntimeError: Constant not found: weight] PASSED [ 12%]",
        "tests/test_run.py::test_says[Segmentation fault] SKIPPED (no GPU) [ 99%]",
    ]
    assert diagnose(talk).causes == []


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("yaml.load(open(path))", "TypeError: load() missing 1 required positional argument: 'Loader'"),
        ("image.save(path, quality_=3)", "TypeError: save() got an unexpected keyword argument 'quality_'"),
        ("re.compile(flags=2)", "TypeError: compile() missing 1 required positional argument: 'pattern'"),
        ('rows["a"]', "TypeError: list indices must be integers or slices, not str"),
        ("rows[9] = 1", "IndexError: list assignment index out of range"),
        ('key, value = line.split("=")', "ValueError: not enough values to unpack (expected 2, got 1)"),
        ("total() + 1", "TypeError: unsupported operand type(s) for +: 'NoneType' and 'int'"),
        ("int(sys.argv[1])", "ValueError: invalid literal for int() with base 10: 'abc'"),
        ("check(5)", "ValueError: 5 not in range [0, 3]"),
        ("open(token)", "PermissionError: [Errno 13] Permission denied: '/root/.cache/huggingface/token'"),
        ("open(lock)", "PermissionError: [Errno 13] Permission denied: '/tmp/x.lock'"),
        ("import cv2", "ImportError: /opt/cv2.so: undefined symbol: ffi_type_pointer, version LIBFFI_BASE_7.0"),
        ("tree.in_spec", "AttributeError: 'dict' object has no attribute 'in_spec'"),
    ],
)
def test_failures_of_any_program_have_no_cause_here(code: str, message: str) -> None:
    assert (
        diagnose(["Traceback (most recent call last):", '  File "app.py", line 7, in main', code, message]).causes == []
    )


@pytest.mark.parametrize(
    "line",
    [
        "Fatal Python error: Segmentation fault",
        "zsh: segmentation fault  python run.py",
        "./run.sh: line 34:  1811 Segmentation fault      (core dumped) build/run",
        "[node:01] Signal: Segmentation fault (11)",
        "Program received signal SIGSEGV, Segmentation fault.",
    ],
)
def test_shells_say_in_many_ways_that_a_process_crashed(line: str) -> None:
    assert names(diagnose([line])) == ["segmentation-fault"]


@pytest.mark.parametrize(
    "line", ["./run.sh: line 3:  1811 Killed                  python run.py", "Killed", "zsh: killed     python run.py"]
)
def test_shells_say_in_many_ways_that_a_process_was_killed(line: str) -> None:
    assert names(diagnose([line])) == ["killed"]


def test_the_users_line_is_found_behind_the_loggers_of_torch_and_vllm() -> None:
    for before in (
        "ERROR 04-23 10:00:28 [worker_base.py:598] ",
        "ERROR 04-23 10:00:28 engine.py:157] ",
        "(EngineCore_DP0 pid=73) ERROR 01-28 17:37:45 [core.py:866] ",
        "E1201 08:10:05.548000 4411 venv/lib/python3.10/site-packages/torch/_guards.py:300] [0/0] ",
    ):
        found = diagnose(
            f"{before}{line}"
            for line in [*TRACEBACK.splitlines(), "RuntimeError: expected inputs vector size to be 1, but got 2"]
        )
        frame = found.causes[0].frame
        assert frame is not None
        assert (frame.path, frame.row) == ("/home/me/serve.py", 12)


def test_a_kernel_that_began_and_did_not_end() -> None:
    log = [
        "[ before_launch: triton_poi_fused_add_relu_0 ]",
        "progress: 3/9 [ after_launch: triton_poi_fused_add_relu_0 ]",
        "[ before_launch: gather_kernel_0 ]",
        "terminate called after throwing an instance of 'c10::AcceleratorError'",
    ]
    kernels = diagnose(log).kernels
    assert kernels.unfinished == "gather_kernel_0"
    assert diagnose(log[:2]).kernels.unfinished is None
    assert diagnose(log[:2]).kernels.last == "triton_poi_fused_add_relu_0"


def test_values_of_several_arguments_are_one_launch() -> None:
    log = [f"[  before_launch - k_0 - arg{i} ]:" for i in range(3)] + [
        f"[  after_launch - k_0 - arg{i} ]:" for i in range(3)
    ]
    kernels = diagnose(log).kernels
    assert (kernels.begun, kernels.unfinished) == (["k_0"], None)


FAILS = "RuntimeError: Constant not found: weight"


@pytest.mark.parametrize(
    "before",
    ["0: ", "[01:17:10.938]: W1024 01:17:10.936 140404 ", "2025-01-11T20:17:34.102466 - ", "{worker.py:1937} ERROR - "],
)
def test_what_a_log_has_before_a_traceback_is_learned_from_its_first_line(before: str) -> None:
    log = [f"{before}{line}" for line in [*TRACEBACK.splitlines(), FAILS]]
    found = diagnose([*log, "no longer"])
    assert found.causes[0].text == FAILS
    frame = found.causes[0].frame
    assert frame is not None
    assert (frame.path, frame.row) == ("/home/me/serve.py", 12)


def test_a_word_before_a_traceback_is_nothing_to_take_off() -> None:
    found = diagnose([f"Exception in thread 3: {TRACEBACK.splitlines()[0]}", *TRACEBACK.splitlines()[1:], FAILS])
    assert found.causes[0].text == FAILS


def test_of_exceptions_that_caused_each_other_the_first_one_is_the_cause() -> None:
    first = ["Traceback (most recent call last):", '  File "/home/me/ops.py", line 3, in run', "    f()", FAILS]
    then = [*TRACEBACK.splitlines(), "RuntimeError: expected inputs vector size to be 1, but got 2"]
    chained = [*first, "", "The above exception was the direct cause of the following exception:", "", *then]
    handled = [*first, "", "During handling of the above exception, another exception occurred:", "", *then]
    assert names(diagnose(chained)) == ["constant-not-found", "number-of-inputs"]
    assert names(diagnose(handled)) == ["number-of-inputs", "constant-not-found"]
    assert names(diagnose([*chained, *first])) == ["constant-not-found", "number-of-inputs"]


def test_a_later_failure_comes_before_a_chain() -> None:
    first = ["Traceback (most recent call last):", FAILS]
    then = ["Traceback (most recent call last):", "RuntimeError: expected inputs vector size to be 1, but got 2"]
    last = ["Traceback (most recent call last):", "RuntimeError: Model enc not found in package"]
    chain = [*first, "The above exception was the direct cause of the following exception:", "", *then]
    assert names(diagnose([*chain, *last])) == ["no-such-model", "constant-not-found", "number-of-inputs"]


def test_a_message_that_is_wrapped_is_read_as_one() -> None:
    wrapped = [
        "RuntimeError: Expected all tensors to be on the same device, but found at least",
        "two devices, cuda:0 and cpu! (when checking argument for argument mat1 in method",
        "wrapper_CUDA_addmm)",
    ]
    found = diagnose([*TRACEBACK.splitlines(), *wrapped])
    assert names(found) == ["devices-mixed-in-forward"]
    assert found.causes[0].times == 1


def test_lines_of_two_messages_are_not_read_as_one() -> None:
    apart = ["RuntimeError: but found at least", "", "two devices, cuda:0 and cpu"]
    assert diagnose(apart).causes == []


def test_a_notebook_names_its_cells_and_files() -> None:
    log = [
        "AttributeError                            Traceback (most recent call last)",
        "Cell In[4], line 21",
        "     18 model = model.eval()",
        "---> 21 torch._inductor.aoti_load_package(path)",
        "",
        "File ~/env/lib/python3.10/site-packages/torch/_inductor/package/package.py:280, in load_package(path)",
        "--> 280     return AOTICompiledModel(f())",
        "",
        "AttributeError: module 'torch._inductor' has no attribute 'codecache'",
    ]
    found = diagnose(log)
    assert names(found) == ["torch-lacks-its-part"]
    frame = found.causes[0].frame
    assert frame is not None
    assert (frame.path, frame.row) == ("Cell In[4]", 21)


def test_the_line_that_a_message_tells_comes_before_that_of_the_call() -> None:
    log = [
        *TRACEBACK.splitlines(),
        "torch._dynamo.exc.Unsupported: Import failure",
        "  Explanation: Failure when attempting to import.",
        *["  more"] * 14,
        "",
        "from user code:",
        '   File "/home/me/net.py", line 7, in forward',
        "    import numpy as np",
        "",
    ]
    frame = diagnose(log).causes[0].frame
    assert frame is not None
    assert (frame.path, frame.row) == ("/home/me/net.py", 7)


def test_where_a_node_of_a_graph_comes_from_is_a_line_of_the_user() -> None:
    for place in ("# File: /home/me/net.py:9 in forward, ", '# File "/home/me/net.py", line 9, in forward, '):
        log = ["RuntimeError: Constant not found: weight", f"    {place}code: return x @ y"]
        frame = diagnose(log).causes[0].frame
        assert frame is not None
        assert (frame.path, frame.row, frame.function) == ("/home/me/net.py", 9, "forward")
