"""What the accessors say about settings, environment variables, logs, modes and backends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from aoti_lint.torch_api import settings
from aoti_lint.torch_api.native_variables import NATIVE
from aoti_lint.torch_api.versions import MINORS, SUPPORTED, VersionSet

ROOT = Path(__file__).parents[2]
INDUCTOR = "torch._inductor.config"


@pytest.mark.parametrize(
    ("module", "key", "there"),
    [
        (INDUCTOR, "max_autotune", "2.4–2.15"),
        (INDUCTOR, "triton.cudagraphs", "2.4–2.15"),
        (INDUCTOR, "abi_compatible", "2.4–2.5"),
        (INDUCTOR, "aot_inductor.package", "2.5–2.15"),
        (INDUCTOR, "aot_inductor.repro_level", "2.7–2.15"),
        (INDUCTOR, "aot_inductor.check_lowerbound", "2.10–2.15"),
        (INDUCTOR, "aot_inductor.check_upperbound", "2.15"),
        (INDUCTOR, "cudagraphs", "none"),
        (INDUCTOR, "max-autotune", "none"),
        (INDUCTOR, "__doc__", "none"),
        (INDUCTOR, "is_fbcode", "none"),
        (INDUCTOR, "os", "none"),
        ("torch._dynamo.config", "recompile_limit", "2.7–2.15"),
        ("torch._dynamo.config", "cache_size_limit", "2.4–2.15"),
        ("torch.compiler.config", "force_disable_caches", "2.9–2.15"),
        ("torch.nn", "x", "none"),
    ],
)
def test_key_versions(module: str, key: str, there: str) -> None:
    assert str(settings.key_versions(module, key)) == there


def test_config_modules() -> None:
    assert str(settings.module_versions("torch.compiler.config")) == "2.6–2.15"
    assert not settings.module_versions("torch.nn")
    assert {INDUCTOR, "torch._dynamo.config", "torch._functorch.config", "torch.fx.experimental._config"} <= set(
        settings.config_modules()
    )
    assert not any("testing" in module for module in settings.config_modules())


def test_setting() -> None:
    nan = settings.setting(INDUCTOR, "nan_asserts", "2.13")
    assert nan is not None
    assert (nan.type, nan.variables, nan.alias) == ("bool", ("TORCHINDUCTOR_NAN_ASSERTS",), None)
    limit = settings.setting("torch._dynamo.config", "cache_size_limit", "2.13")
    assert limit is not None
    assert limit.alias == "torch._dynamo.config.recompile_limit"
    printer = settings.setting(INDUCTOR, "aot_inductor.debug_intermediate_value_printer", "2.13")
    assert printer is not None
    assert printer.type == "Literal['0', '1', '2', '3']"
    copied = settings.setting(INDUCTOR, "cuda.cutlass_epilogue_fusion_enabled", "2.13")
    assert copied is not None
    assert copied.variables == ("CUTLASS_EPILOGUE_FUSION",)
    assert settings.setting(INDUCTOR, "abi_compatible", "2.6") is None
    assert settings.setting("torch.nn", "x", "2.6") is None


def test_keys_and_near_keys() -> None:
    assert "triton.cudagraphs" in settings.keys(INDUCTOR, "2.13")
    assert len(settings.keys(INDUCTOR, "2.4")) == 209
    assert settings.near_keys(INDUCTOR, "max-autotune", SUPPORTED)[0] == "max_autotune"
    assert settings.near_keys(INDUCTOR, "cudagraphs", SUPPORTED)[0] == "triton.cudagraphs"
    assert settings.near_keys(INDUCTOR, "nan_assert", SUPPORTED)[0] == "nan_asserts"
    assert settings.near_keys(INDUCTOR, "abi_compatibel", VersionSet(["2.13"])) == []


@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("TORCH_LOGS", "2.4–2.15"),
        ("TORCHINDUCTOR_ABI_COMPATIBLE", "2.4–2.5"),
        ("DUMP_AOTI_MINIFIER", "2.6–2.15"),
        ("AOTI_RUNTIME_CHECK_INPUTS", "2.7–2.15"),
        ("PYTORCH_ALLOC_CONF", "2.9–2.15"),
        ("TORCHINDUCTOR_TRITON_CUDAGRAPHS", "none"),
    ],
)
def test_variable_versions(name: str, there: str) -> None:
    assert str(settings.variable_versions(name)) == there
    assert (name in settings.variable_names()) == (there != "none")


def test_readings() -> None:
    (nan,) = settings.readings("TORCHINDUCTOR_NAN_ASSERTS", "2.13")
    assert (nan.module, nan.moment, nan.how, nan.words, nan.key) == (
        INDUCTOR,
        "import",
        "equals",
        ("1",),
        "nan_asserts",
    )
    logs = settings.readings("TORCH_LOGS", "2.13")
    assert ("torch", "import") in {(reading.module, reading.moment) for reading in logs}
    cache = settings.readings("TORCHINDUCTOR_CACHE_DIR", "2.13")
    assert {reading.moment for reading in cache} == {"call"}
    debug = settings.readings("TORCH_COMPILE_DEBUG", "2.13")
    assert {reading.moment for reading in debug} == {"import", "call"}
    (check,) = settings.readings("AOTI_RUNTIME_CHECK_INPUTS", "2.13")
    assert (check.module, check.moment) == ("", "call")
    assert settings.readings("AOTI_RUNTIME_CHECK_INPUTS", "2.6") == ()


@pytest.mark.parametrize(
    ("name", "value", "version", "meaning"),
    [
        ("TORCHINDUCTOR_NAN_ASSERTS", "1", "2.13", "on"),
        ("TORCHINDUCTOR_NAN_ASSERTS", "true", "2.13", "off"),
        ("AOT_PARTITIONER_DEBUG", "0", "2.13", "off"),
        ("AOT_PARTITIONER_DEBUG", "false", "2.13", "on"),
        ("TORCHDYNAMO_SUPPRESS_ERRORS", "0", "2.13", "on"),
        ("TORCHDYNAMO_SUPPRESS_ERRORS", "", "2.13", "off"),
        ("TORCH_CUDA_SANITIZER", "", "2.13", "on"),
        ("AOTINDUCTOR_REPRO_LEVEL", "high", "2.13", "raises"),
        ("AOTINDUCTOR_REPRO_LEVEL", "3", "2.13", "number"),
        ("TORCHINDUCTOR_COLLECTIVE_BENCHMARK_TIMEOUT", "1.5", "2.13", "number"),
        ("TORCHINDUCTOR_AUTOTUNE_NUM_CHOICES_DISPLAYED", "All", "2.13", "text"),
        ("TORCHINDUCTOR_AUTOTUNE_NUM_CHOICES_DISPLAYED", "few", "2.13", "raises"),
        ("TORCH_COMPILE_FORCE_DISABLE_CACHES", "1", "2.13", "on"),
        ("TORCH_COMPILE_FORCE_DISABLE_CACHES", "true", "2.13", "text"),
        ("TORCHINDUCTOR_AUTOGRAD_REMOTE_CACHE", "true", "2.13", "ignored"),
        ("TORCHDYNAMO_REPRO_AFTER", "aot", "2.13", "text"),
        ("TORCH_LOGS", "dynamo", "2.13", "text"),
        ("TORCH_COMPILE_DEBUG", "1", "2.13", "on"),
        ("AOTI_RUNTIME_CHECK_INPUTS", "0", "2.7", "on"),
        ("AOTI_RUNTIME_CHECK_INPUTS", "", "2.7", "off"),
        ("AOTI_RUNTIME_CHECK_INPUTS", "0", "2.8", "off"),
        ("AOTI_RUNTIME_CHECK_INPUTS", "", "2.8", "on"),
        ("AOTI_RUNTIME_CHECK_INPUTS", "false", "2.13", "on"),
        ("AOTI_RUNTIME_CHECK_INPUTS", "1", "2.6", "unknown"),
        ("PYTORCH_JIT", "maybe", "2.13", "unknown"),
        ("AOTI_CUDA_COPY_CHUNK_SIZE", "64MB", "2.13", "unknown"),
        ("CUDA_LAUNCH_BLOCKING", "1", "2.13", "on"),
        ("CUDA_LAUNCH_BLOCKING", "true", "2.13", "unknown"),
        ("TORCH_SHOW_CPP_STACKTRACES", "true", "2.13", "ignored"),
    ],
)
def test_means(name: str, value: str, version: str, meaning: str) -> None:
    assert settings.means(name, value, version) == meaning


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("TORCHINDUCTOR_NAN_ASSERT", "TORCHINDUCTOR_NAN_ASSERTS"),
        ("AOTINDUCTOR_DEBUG_COMPILE", "AOT_INDUCTOR_DEBUG_COMPILE"),
        ("AOT_INDUCTOR_REPRO_LEVEL", "AOTINDUCTOR_REPRO_LEVEL"),
        ("AOTI_RUNTIME_CHECK_INPUT", "AOTI_RUNTIME_CHECK_INPUTS"),
        ("TORCH_LOG", "TORCH_LOGS"),
    ],
)
def test_near_variables(wrong: str, right: str) -> None:
    assert settings.near_variables(wrong)[0] == right


def test_nothing_is_near_a_name_of_somebody_else() -> None:
    assert settings.near_variables("MY_APPLICATION_DEBUG") == []


def test_logs_modes_and_backends() -> None:
    assert {"dynamo", "output_code", "all", "help"} <= settings.log_names("2.4")
    assert "cache" not in settings.log_names("2.5")
    assert "cache" in settings.log_names("2.6")
    modes = {"default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs"}
    assert settings.compile_modes("2.4") == modes
    assert settings.compile_modes("2.15") == modes | {"lite"}
    for version in MINORS:
        assert {"inductor", "eager", "aot_eager", "cudagraphs"} <= settings.compile_backends(version)


def test_native_variables_name_their_source() -> None:
    for name, native in NATIVE.items():
        assert native.versions, name
        assert native.source, name
        assert native.read, name


def test_nothing_is_read_before_the_first_question() -> None:
    code = (
        "import sys; from aoti_lint.torch_api import settings; assert not settings._data.cache_info().currsize; "
        "assert 'torch' not in sys.modules; assert 'difflib' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
