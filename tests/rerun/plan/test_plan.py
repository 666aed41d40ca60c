"""The plan: which stages, for which symptom, with which flags in which process."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.errors import CannotRun
from aoti_lint.rerun.plan import planner
from aoti_lint.rerun.plan.phases import Work
from aoti_lint.rerun.plan.plan import FOLDER, GUARD, KERNEL, ROUNDS
from aoti_lint.rerun.plan.playbook.stages import PLAYBOOK, STAGES
from aoti_lint.rerun.plan.playbook.tools import PROFILED
from aoti_lint.rerun.plan.symptoms import SYMPTOMS
from aoti_lint.torch_api import settings
from aoti_lint.torch_api.versions import MINORS
from tests.rerun.plans import EXPORT, PYTHON, SERVE, TRACE, WHOLE, command, names, plan, set_by, stage, steps, write

PRINTER = "AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER"
CUDA = {"PYTORCH_NO_CUDA_MEMORY_CACHING", "CUDA_LAUNCH_BLOCKING"}


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_every_symptom_has_stages() -> None:
    assert set(PLAYBOOK) == set(SYMPTOMS)
    assert {name for order in PLAYBOOK.values() for name in order} == set(STAGES)


def test_a_package_made_and_run_in_one_script(tmp_path: Path) -> None:
    write(tmp_path, whole=WHOLE)
    made = plan("whole.py", symptom="segfault")
    assert {step.phase for step in steps(made)} == {"whole"}
    fence, printing = stage(made, "kernels").steps
    assert (fence.phase, printing.environment[PRINTER]) == ("tool", "3")
    assert printing.environment["LD_PRELOAD"] in fence.command
    values = stage(made, "values")
    assert values.repeats
    assert values.steps[0].environment["AOT_INDUCTOR_FILTERED_KERNELS_TO_PRINT"] == KERNEL
    assert made.packages == ("net.pt2",)
    assert made.runs > len(made.stages) + ROUNDS - 2


def test_each_flag_goes_to_the_script_that_reads_it(tmp_path: Path) -> None:
    write(tmp_path, export=EXPORT, serve=SERVE)
    unbuilt = stage(plan("serve.py", symptom="segfault"), "sanity")
    assert [step.phase for step in unbuilt.steps] == ["build", "run"]
    tmp_path.joinpath("net.pt2").touch()
    made = plan("serve.py", symptom="segfault")
    sanity = stage(made, "sanity")
    assert [(step.phase, set_by(step)) for step in sanity.steps] == [
        ("run", {"AOTI_RUNTIME_CHECK_INPUTS", "TORCH_SHOW_CPP_STACKTRACES"})
    ]
    _, build, run = stage(made, "kernels").steps
    assert (build.phase, build.command[-1]) == ("build", "export.py")
    assert (run.phase, run.command[-1]) == ("run", "serve.py")
    assert build.environment[PRINTER] == "3"
    assert PRINTER not in run.environment
    assert "LD_PRELOAD" in run.environment
    assert "LD_PRELOAD" not in build.environment
    assert any("export.py compiles what is loaded" in note for note in made.notes)


def test_a_program_in_another_language_gets_what_is_read_where_it_runs(tmp_path: Path) -> None:
    alone = plan(command("./serve", "net.pt2"), symptom="illegal-memory-access", device="cuda")
    assert {step.phase for step in steps(alone)} == {"run"}
    assert not any(PRINTER in step.environment for step in steps(alone))
    assert any("--build" in note for note in alone.notes)
    write(tmp_path, export=EXPORT)
    built = plan(command("./serve", "net.pt2"), symptom="illegal-memory-access", device="cuda", build="export.py")
    build, run = stage(built, "kernels").steps
    assert build.command[-1] == "export.py"
    assert set_by(run) == CUDA
    assert built.packages == ("net.pt2",)


def test_the_command_that_builds(tmp_path: Path) -> None:
    (tmp_path / "my files").mkdir()
    write(tmp_path / "my files", export=EXPORT)
    write(tmp_path, serve=SERVE, export=EXPORT)
    for given, expected in {
        "my files/export.py": (PYTHON, "my files/export.py"),
        "'my files/export.py' --fast": (PYTHON, "my files/export.py", "--fast"),
        "uv run export.py": ("uv", "run", "export.py"),
        "DEBUG=1 python export.py": ("env", "DEBUG=1", "python", "export.py"),
    }.items():
        assert stage(plan("serve.py", symptom="nan", build=given), "values").steps[0].command == expected
    with pytest.raises(CannotRun, match=r"--build: there is no such file none\.py"):
        plan("serve.py", symptom="nan", build="none.py")


def test_a_script_that_only_compiles(tmp_path: Path) -> None:
    write(tmp_path, export=EXPORT, serve=SERVE)
    made = plan("export.py", symptom="nan")
    assert "sanity" not in names(made)
    assert "values" not in names(made)
    assert any("the script only compiles" in note for note in made.notes)
    assert plan("export.py").symptom == "compile-error"


def test_flags_for_a_gpu_are_for_a_gpu(tmp_path: Path) -> None:
    write(tmp_path, whole=WHOLE)
    for symptom in SYMPTOMS:
        made = plan("whole.py", symptom=symptom)
        assert not any(CUDA & set(step.environment) for step in steps(made))
        assert not {"nan-asserts", "sanitizer", "deterministic"} & set(names(made))
    on_gpu = plan("whole.py", symptom="nan", device="cuda")
    assert names(on_gpu)[-1] == "nan-asserts"
    assert [set_by(step) for step in stage(on_gpu, "nan-asserts").steps] == [{"TORCHINDUCTOR_NAN_ASSERTS"}]
    assert stage(on_gpu, "nan-asserts").needs == ("cuda",)


def test_illegal_memory_access_on_the_cpu_is_a_segfault(tmp_path: Path) -> None:
    write(tmp_path, whole=WHOLE)
    assert plan("whole.py", symptom="illegal-memory-access").symptom == "segfault"


@pytest.mark.parametrize("version", MINORS)
@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_no_torch_is_given_what_it_does_not_know(tmp_path: Path, version: str, device: str) -> None:
    """No unknown variable, log or setting; the printer has its levels, its filter level 2, the minifier its stages."""
    write(tmp_path, whole=WHOLE, trace=TRACE)
    for script in ("whole.py", "trace.py"):
        for symptom in SYMPTOMS:
            for step in steps(plan(script, symptom=symptom, torch_version=version, device=device)):
                for name, value in step.environment.items():
                    if name in settings.variable_names():
                        assert version in settings.variable_versions(name), name
                        assert settings.means(name, value, version) not in ("raises", "ignored"), (name, value)
                for word in filter(None, step.environment.get("TORCH_LOGS", "").split(",")):
                    assert word.lstrip("+-") in settings.log_names(version)
                for name in step.config:
                    module, _, key = name.partition(".config.")
                    assert version in settings.key_versions(f"{module}.config", key), name
                if "AOT_INDUCTOR_FILTERED_KERNELS_TO_PRINT" in step.environment:
                    assert step.environment[PRINTER] == "2"
                assert step.environment.get(PRINTER, "1") in ("1", "2", "3")
                assert step.environment.get("TORCHDYNAMO_REPRO_AFTER", "aot") in ("aot", "dynamo")


def test_versions_decide(tmp_path: Path) -> None:
    write(tmp_path, whole=WHOLE)
    old = plan("whole.py", symptom="segfault", torch_version="2.6")
    assert set_by(stage(old, "sanity").steps[0]) == {"AOT_INDUCTOR_DEBUG_COMPILE", "TORCH_SHOW_CPP_STACKTRACES"}
    assert "AOTINDUCTOR_REPRO_LEVEL" not in stage(old, "minifier").steps[0].environment
    new = plan("whole.py", symptom="segfault", torch_version="2.7")
    assert stage(new, "minifier").steps[0].environment["AOTINDUCTOR_REPRO_LEVEL"] == "3"
    oldest = plan("whole.py", symptom="segfault", torch_version="2.5")
    assert "minifier" not in names(oldest)
    assert any(note.startswith("minifier: left out") for note in oldest.notes)
    assert "Level 3" in stage(new, "minifier").why
    assert "Level" not in stage(old, "minifier").why


def test_torch_compile_has_no_package(tmp_path: Path) -> None:
    write(tmp_path, trace=TRACE)
    made = plan("trace.py", symptom="wrong-result", device="cuda")
    assert not any("AOTI_RUNTIME_CHECK_INPUTS" in step.environment for step in steps(made))
    path = stage(made, "compile-path").steps
    assert path[0].environment["TORCH_COMPILE_DISABLE"] == "1"
    assert [s.environment["TORCHDYNAMO_REPRO_AFTER"] for s in path if "TORCHDYNAMO_REPRO_AFTER" in s.environment] == [
        "aot", "dynamo",
    ]  # fmt: skip
    assert {"torch._inductor.config.triton.cudagraphs": False} in [step.config for step in path]
    assert plan("trace.py").symptom == "wrong-result"


def test_a_size_that_the_check_wrongly_refuses_is_not_blamed(tmp_path: Path) -> None:
    write(tmp_path, export=EXPORT.replace('Dim("b")', 'Dim("b", min=1)'), serve=SERVE.replace("16", "1"))
    build, run = stage(plan("serve.py", symptom="shape-mismatch"), "sanity").steps
    assert build.config == {"torch._inductor.config.aot_inductor.check_lowerbound": False}
    assert run.environment["AOTI_RUNTIME_CHECK_INPUTS"] == "1"


def test_the_rules_say_how_it_fails(tmp_path: Path) -> None:
    write(tmp_path, export=EXPORT.replace("torch.ones(4, 8)", 'torch.ones(4, 8, device="cuda")'), serve=SERVE)
    made = plan("serve.py")
    assert made.symptom == "device-mismatch"
    assert made.reasons[0].startswith("serve.py:4: AOTI102 ")


def test_a_log_says_how_it_fails(tmp_path: Path) -> None:
    write(tmp_path, export=EXPORT)
    tmp_path.joinpath("run.log").write_text(
        'torch._dynamo.exc.UserError: Constraints violated (b)! For more information, run with TORCH_LOGS="+dynamic".\n'
        "  - Not all values of b = L['x'].size()[0] in the specified range are valid because b was inferred to be a "
        "constant (8).\n"
        "eval Eq(s0, 8) [guard added] at net.py:6 in forward, for more info run with "
        'TORCHDYNAMO_EXTENDED_DEBUG_GUARD_ADDED="Eq(s0, 8)"\n',
        encoding="utf-8",
    )
    made = plan("export.py", log="run.log")
    assert made.symptom == "export-error"
    guarded = [step.environment.get("TORCHDYNAMO_EXTENDED_DEBUG_GUARD_ADDED") for step in stage(made, "export").steps]
    assert "Eq(s0, 8)" in guarded
    assert {"torch.export.export": "torch.export.draft_export"} in [s.replace for s in stage(made, "export").steps]


def test_a_log_that_is_not_known_says_so(tmp_path: Path) -> None:
    write(tmp_path, whole=WHOLE)
    tmp_path.joinpath("run.log").write_text("all is well\n", encoding="utf-8")
    made = plan("whole.py", log="run.log")
    assert made.symptom == "segfault"
    assert "nothing in run.log is known here" in made.notes
    with pytest.raises(CannotRun, match=r"missing\.log"):
        plan("whole.py", log="missing.log")


def test_custom_operators_are_probed(tmp_path: Path) -> None:
    op = (
        "import torch\n@torch.library.custom_op('shop::op', mutates_args=())\n"
        "def op(x: torch.Tensor) -> torch.Tensor:\n    return x.sin()\n"
        "@op.register_fake\ndef _(x):\n    return torch.empty_like(x)\n"
    )
    write(tmp_path, ops=op, whole="import ops\n" + WHOLE.replace("torch.log(x)", "torch.ops.shop.op(x)"))
    made = plan("whole.py", symptom="wrong-result")
    assert stage(made, "fakes").steps[0].command == ("aoti-lint", "probe", "ops.py")
    assert stage(made, "compare").steps[-1].command[-2:] == ("--ops", "ops.py")
    write(tmp_path, plain=WHOLE)
    assert "fakes" not in names(plan("plain.py", symptom="wrong-result"))
    assert "import what registers them" in stage(made, "minifier").reads
    assert "import what registers them" not in stage(plan("plain.py", symptom="wrong-result"), "minifier").reads


def test_operators_are_probed_where_they_are(tmp_path: Path) -> None:
    """The folder of a script may be a project of its own, below the one in which it is run."""
    folder = tmp_path / "my files"
    folder.mkdir()
    op = "@torch.library.custom_op('a::op', mutates_args=())\ndef op(x: torch.Tensor) -> torch.Tensor: return x.sin()\n"
    write(folder, whole=WHOLE.replace("\n\n\nclass", f"\n{op}\n\nclass", 1))
    made = plan("my files/whole.py", symptom="wrong-result")
    assert stage(made, "fakes").steps[0].command == ("aoti-lint", "probe", "my files/whole.py")


def test_a_graph_that_overwrites_is_looked_for_in_torch_compile_alone(tmp_path: Path) -> None:
    """AOTInductor has no CUDA graphs, and no minifier makes the second call that shows the fault."""
    write(tmp_path, trace=TRACE, whole=WHOLE)
    path = stage(plan("trace.py", symptom="cuda-graph-overwrite", device="cuda"), "compile-path").steps
    assert [(sorted(set_by(step)), step.config) for step in path] == [
        (["TORCH_COMPILE_DISABLE"], {}),
        ([], {"torch._inductor.config.triton.cudagraphs": False}),
    ]
    assert names(plan("whole.py", symptom="cuda-graph-overwrite", device="cuda")) == ["logs"]
    assert any("say --device cuda" in why for why in plan("trace.py", symptom="cuda-graph-overwrite").reasons)


def test_the_kernels_of_torch_compile_have_no_names_to_ask_by(tmp_path: Path) -> None:
    write(tmp_path, trace=TRACE)
    made = plan("trace.py", symptom="illegal-memory-access", device="cuda")
    values = stage(made, "values")
    assert not values.repeats
    assert KERNEL not in values.steps[0].environment.values()
    assert [note for note in made.notes if "left out" in note] == [
        "kernels: left out, as code of torch.compile prints nothing of the kind"
    ]


def test_what_is_left_of_torch_compile_without_inductor(tmp_path: Path) -> None:
    write(tmp_path, trace=TRACE, both=TRACE + WHOLE)
    swapped = [step.replace for step in stage(plan("trace.py", symptom="nan"), "compile-path").steps if step.replace]
    assert swapped == [{"torch._inductor.compile_fx.compile_fx": f"torch._dynamo.backends.debugging.{name}"}
                       for name in ("eager", "aot_eager")]  # fmt: skip
    assert not any(step.replace for step in stage(plan("both.py", symptom="nan"), "compile-path").steps), (
        "a package goes through the same function"
    )


def test_numbers_that_are_meant_to_differ(tmp_path: Path) -> None:
    half = TRACE.replace("Linear(8, 8)", "Linear(8, 8).to(torch.bfloat16)")
    write(tmp_path, trace=TRACE, half=half, drop=TRACE + "torch.nn.functional.dropout\n")
    casts = {"torch._inductor.config.emulate_precision_casts": True}
    draws = {"torch._inductor.config.fallback_random": True}

    def tried(script: str) -> list[dict[str, object]]:
        return [step.config for step in stage(plan(script, symptom="wrong-result"), "compile-path").steps]

    assert (casts in tried("half.py"), draws in tried("half.py")) == (True, False)
    assert (casts in tried("drop.py"), draws in tried("drop.py")) == (False, True)
    assert (casts in tried("trace.py"), draws in tried("trace.py")) == (False, False)


def test_guards_of_torch_compile(tmp_path: Path) -> None:
    write(tmp_path, trace=TRACE, whole=WHOLE)
    made = plan("trace.py", symptom="recompile")
    assert names(made) == ["logs", "guards"]
    assert "+dynamic" in stage(made, "logs").steps[0].environment["TORCH_LOGS"].split(",")
    assert stage(made, "guards").steps[0].environment["TORCHDYNAMO_EXTENDED_DEBUG_GUARD_ADDED"] == GUARD
    assert "guards" not in names(plan("whole.py", symptom="recompile"))


def test_a_package_that_does_not_load_is_tried_before_another_takes_its_place(tmp_path: Path) -> None:
    write(tmp_path, export=EXPORT, serve=SERVE)
    unbuilt = stage(plan("serve.py", symptom="load-error"), "logs")
    assert [step.phase for step in unbuilt.steps][:2] == ["build", "run"]
    tmp_path.joinpath("net.pt2").touch()
    made = plan("serve.py", symptom="load-error")
    first, inspect, build, run, *_ = stage(made, "logs").steps
    assert [step.phase for step in (first, inspect, build, run)] == ["run", "tool", "build", "run"]
    assert inspect.command[:2] == ("aoti-lint", "inspect")
    assert "LD_DEBUG" in set_by(first) & set_by(run)
    assert "compiled anew" in stage(made, "logs").reads
    assert "build" not in {step.phase for step in stage(made, "debugger").steps}


def test_freezing_is_switched_off_where_it_is_on(tmp_path: Path) -> None:
    frozen = TRACE.replace("import torch\n", "import torch\n\ntorch._inductor.config.freezing = True\n", 1)
    write(tmp_path, trace=TRACE, frozen=frozen)
    off = {"torch._inductor.config.freezing": False}
    assert off in [step.config for step in stage(plan("frozen.py", symptom="nan"), "compile-path").steps]
    assert off not in [step.config for step in stage(plan("trace.py", symptom="nan"), "compile-path").steps]


@pytest.mark.parametrize(
    ("devices", "installed", "gpu", "expected"),
    [
        ({"cuda"}, "2.13.0+cpu", False, "cuda"),
        ({"cuda", "meta"}, "2.13.0+cpu", False, "cuda"),
        ({"cuda", "xpu"}, "2.13.0+cpu", False, "cpu"),
        ({"cuda", "xpu"}, "2.13.0+cu130", False, "cuda"),
        ({"cuda", "cpu"}, "2.13.0+cu130", False, "cpu"),
        ({"cuda", "cpu"}, "2.13.0+cu130", True, "cuda"),
        ({"cuda", "cpu"}, "2.13.0+cpu", True, "cpu"),
        ({"cpu"}, "2.13.0+cu130", True, "cpu"),
        ({"cpu", "meta"}, None, True, "cpu"),
        (set(), None, True, "cuda"),
        (set(), None, False, "cpu"),
    ],
)
def test_the_device(
    devices: set[str], installed: str | None, gpu: bool, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planner, "_GPUS", (__file__,) if gpu else ())
    target = command("./serve")
    found, why = planner._device(None, installed, Work(devices=frozenset(devices)), target)
    assert found == expected
    assert why
    assert planner._device("cpu", installed, Work(devices=frozenset(devices)), target)[0] == "cpu"


def test_the_profiler_stands_after_the_options_of_python(tmp_path: Path) -> None:
    write(tmp_path, trace=TRACE)
    python = plan(command("python", "-X", "dev", "-u", "trace.py", "--fast"), symptom="slow")
    words = stage(python, "profile").steps[0].command
    assert words[:4] == ("python", "-X", "dev", "-u")
    assert words[4:] == (PROFILED, FOLDER, "trace.py", "--fast")
    module = stage(plan(command("python", "-m", "trace", "x"), symptom="slow"), "profile").steps[0].command
    assert module == ("python", PROFILED, FOLDER, "-m", "trace", "x")
    launched = stage(plan(command("torchrun", "trace.py"), symptom="slow"), "profile")
    assert [step.command[:2] for step in launched.steps] == [("perf", "record"), ("perf", "report")]
    assert "torch" not in launched.why
    assert stage(plan(command("torchrun", "trace.py"), symptom="slow", device="cuda"), "profile").needs == (
        "cuda", "nsys",
    )  # fmt: skip
