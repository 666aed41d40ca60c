"""Saved tensors: names of files, what is in them, where bad values begin, where two runs part."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.cli.main import main
from aoti_lint.tensors.names import Name, understood

torch = pytest.importorskip("torch")

from aoti_lint.report.schemas import Tensors, TensorsCompared  # noqa: E402
from aoti_lint.tensors.dumps import read, stats  # noqa: E402
from aoti_lint.tensors.judge import first_bad, launches  # noqa: E402

Save = Callable[..., None]
NAN, INF = float("nan"), float("inf")
CPU = "aoti_torch{}_launch_{}_{}_cpu.pt"


@pytest.fixture
def save(tmp_path: Path) -> Save:
    """Writes what one kernel was given and left, a second after the kernel before."""
    clock = [1_000_000_000]

    def write(kernel: str, before: dict[str, object], after: dict[str, object], folder: str = "run") -> None:
        place = tmp_path / folder / "tmp"
        place.mkdir(parents=True, exist_ok=True)
        clock[0] += 1
        for when, values in (("before", before), ("after", after)):
            for argument, value in values.items():
                path = place / CPU.format(when, kernel, argument)
                torch.save(value if isinstance(value, torch.Tensor) else torch.tensor(value), path)
                os.utime(path, (clock[0], clock[0]))

    return write


@pytest.mark.parametrize(
    ("file", "name"),
    [
        (
            "aoti_torchbefore_launch_aoti_torch_cpu_addmm_out_buf0_cpu.pt",
            Name("before", "aoti_torch_cpu_addmm_out", "buf0", "cpu"),
        ),
        (
            "aoti_torchafter_launch_cpp_fused__softmax_abs_1_arg2_1_cpu.pt",
            Name("after", "cpp_fused__softmax_abs_1", "arg2_1", "cpu"),
        ),
        (
            "before_launch_aoti_torch_cuda_addmm_out_buf1_cuda:0.pt",
            Name("before", "aoti_torch_cuda_addmm_out", "buf1", "cuda:0"),
        ),
        (
            "before_launch_triton_poi_fused_add_relu_0_buf12.pt",
            Name("before", "triton_poi_fused_add_relu_0", "buf12", ""),
        ),
        (
            "aoti_torchbefore_launch_triton_poi_fused_0_fc_weight_cuda:0.pt",
            Name("before", "triton_poi_fused_0", "fc_weight", "cuda:0"),
        ),
    ],
)
def test_names_of_files(file: str, name: Name) -> None:
    assert understood([file, "model.pt", "notes.txt"]) == {file: name}


def test_weights_are_told_by_the_kernels_that_are_known() -> None:
    files = [
        "after_launch_triton_poi_fused_add_2_buf3_cuda:0.pt",
        "before_launch_triton_poi_fused_add_2_fc_1_bias_cuda:0.pt",
    ]
    assert understood(files)[files[1]] == Name("before", "triton_poi_fused_add_2", "fc_1_bias", "cuda:0")


def test_what_is_in_a_tensor() -> None:
    found = stats(torch.tensor([1.0, 3.0, NAN, INF]))
    assert (found.low, found.high, found.mean, found.nan, found.inf) == (1.0, 3.0, 2.0, 1, 1)
    assert found.bad


@pytest.mark.parametrize(
    "tensor",
    [
        torch.zeros(0),
        torch.tensor(True),
        torch.tensor([1 + 2j]),
        torch.ones(2, dtype=torch.bfloat16),
        torch.ones(2).to_sparse(),
        torch.tensor([NAN, NAN]),
        torch.ones(2).to(torch.float8_e4m3fn),
    ],
    ids=str,
)
def test_every_kind_of_tensor_is_read(tensor: Any) -> None:
    assert stats(tensor).shape == tuple(tensor.shape)


def test_the_kernel_that_made_the_first_bad_value(
    save: Save, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Garbage in buffers that nobody wrote yet is no fault; what is handed on is not made again."""
    save("cpp_fused_0", {"arg0_1": [1.0], "buf0": [NAN]}, {"arg0_1": [1.0], "buf0": [0.0]})
    save("cpp_fused_log_1", {"buf0": [0.0], "buf1": [7.0]}, {"buf0": [0.0], "buf1": [-INF]})
    save("cpp_fused_mul_2", {"buf1": [-INF], "buf2": [0.0]}, {"buf1": [-INF], "buf2": [NAN]})
    assert main(["tensors", str(tmp_path / "run")]) == 1
    said = capsys.readouterr().out
    assert "The first bad values were made by cpp_fused_log_1, in buf1." in said
    assert "not written yet" in said


def test_bad_inputs_were_made_by_no_kernel(save: Save, tmp_path: Path) -> None:
    save("cpp_fused_0", {"arg0_1": [NAN], "buf0": [0.0]}, {"arg0_1": [NAN], "buf0": [NAN]})
    first = first_bad(launches(read(str(tmp_path / "run"))))
    assert first is not None
    assert [d.name.argument for d in first.given] == ["arg0_1"]


def test_a_healthy_run(save: Save, tmp_path: Path) -> None:
    save("cpp_fused_0", {"arg0_1": [1.0], "buf0": [NAN]}, {"arg0_1": [1.0], "buf0": [0.0]})
    assert main(["tensors", str(tmp_path / "run")]) == 0


def test_launches_of_one_moment_are_ordered_by_what_they_hand_on(save: Save, tmp_path: Path) -> None:
    save("b_second_0", {"buf0": [1.0], "buf1": [9.0]}, {"buf0": [1.0], "buf1": [2.0]})
    save("z_first_0", {"buf0": [5.0]}, {"buf0": [1.0]})
    for path in (tmp_path / "run" / "tmp").iterdir():
        os.utime(path, (5, 5))
    assert [one.kernel for one in launches(read(str(tmp_path / "run")))] == ["z_first_0", "b_second_0"]


def test_a_kernel_that_did_not_end(save: Save, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save("cpp_fused_0", {"arg0_1": [1.0]}, {})
    main(["tensors", str(tmp_path / "run")])
    out = capsys.readouterr().out
    assert out.startswith("cpp_fused_0  (nothing was saved after it)\n")
    assert "stand as one here" in out


def test_where_two_runs_part(save: Save, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder, middle in (("run", 1.0), ("other", 1.5)):
        save("cpp_fused_0", {"arg0_1": [1.0], "buf0": [middle * 99]}, {"buf0": [0.0, 2.0]}, folder)
        save("cpp_fused_1", {"buf0": [0.0, 2.0]}, {"buf1": [0.0, middle]}, folder)
        save("cpp_fused_2", {"buf1": [0.0, middle]}, {"buf2": [middle]}, folder)
    assert main(["tensors", str(tmp_path / "run"), str(tmp_path / "run")]) == 0
    assert main(["tensors", str(tmp_path / "run"), str(tmp_path / "other")]) == 1
    said = capsys.readouterr().out
    assert main(["tensors", str(tmp_path / "run"), str(tmp_path / "other"), "--output-format", "json"]) == 1
    text = capsys.readouterr().out
    assert TensorsCompared.model_validate_json(text).model_dump(mode="json", by_alias=True) == json.loads(text)
    assert "The runs part after cpp_fused_1, buf1: 1 of 2 values, the largest by 0.5, the first at [1]" in said


def test_a_file_that_was_cut_off_is_reported_and_not_fatal(save: Save, tmp_path: Path) -> None:
    save("cpp_fused_0", {"arg0_1": [1.0]}, {"buf0": [2.0]})
    path = tmp_path / "run" / "tmp" / CPU.format("after", "cpp_fused_0", "buf0")
    path.write_bytes(path.read_bytes()[:40])
    (found,) = [dump for dump in read(str(tmp_path / "run")) if dump.name.when == "after"]
    assert found.stats is None
    assert found.problem


def test_a_file_that_runs_code_is_not_unpickled(tmp_path: Path) -> None:
    folder = tmp_path / "tmp"
    folder.mkdir()
    marker = tmp_path / "ran"
    torch.save(Runs(str(marker)), folder / CPU.format("after", "cpp_fused_0", "buf0"))
    (found,) = read(str(tmp_path))
    assert found.stats is None
    assert not marker.exists()


class Runs:
    """Makes a file when it is unpickled."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[str, str]]:
        return (open, (self.path, "w"))


@pytest.mark.parametrize("folder", ["missing", "."])
def test_nothing_to_read_is_an_error(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["tensors", folder]) == 2
    assert capsys.readouterr().err.startswith("aoti-lint: error: ")


MODEL = """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 4)
    def forward(self, x):
        return (self.fc(x).relu() - 1).log().softmax(-1)
program = torch.export.export(Net().eval(), (torch.randn(3, 8),))
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program, package_path="m.pt2"))
run(torch.zeros(3, 8))
"""


def test_what_torch_writes_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The logarithm of what is below 0 is NaN; it is in the kernel behind the matrix product."""
    env = {
        **os.environ,
        "AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER": "1",
        "TORCHINDUCTOR_FORCE_DISABLE_CACHES": "1",
    }
    subprocess.run([sys.executable, "-c", MODEL], cwd=tmp_path, env=env, check=True, capture_output=True)
    assert main(["tensors", str(tmp_path), "--output-format", "json"]) == 1
    text = capsys.readouterr().out
    document = json.loads(text)
    assert Tensors.model_validate_json(text).model_dump(mode="json", by_alias=True) == document
    kernels = [one["kernel"] for one in document["launches"]]
    assert kernels.index("aoti_torch_cpu_addmm_out") < kernels.index(document["first_bad"]["kernel"])
    assert document["first_bad"]["made"]


def test_the_picture_of_a_run(save: Save, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Bad values are red, memory that nobody wrote does not stretch the scale, and nothing is loaded from elsewhere."""
    save("cpp_fused_0", {"arg0_1": [1.0, 2.0], "buf0": [1e38]}, {"arg0_1": [1.0, 2.0], "buf0": [-3.0]})
    save("cpp_<b>_1", {"buf0": [-3.0], "buf1": [0.0]}, {"buf0": [-3.0], "buf1": [NAN, NAN]})
    save("cpp_fused_2", {"buf1": []}, {"buf1": [5.0, INF]})
    target = tmp_path / "run.html"
    assert main(["tensors", str(tmp_path / "run"), "--plot", str(target)]) == 1
    drawn = target.read_text(encoding="utf-8")
    assert "The first bad values were made by cpp_&lt;b&gt;_1." in drawn
    assert ">2 NaN<" in drawn
    assert ">1 Inf<" in drawn
    assert "1e+38</text>" not in drawn
    assert "<script" not in drawn
    assert "http" not in drawn.replace("http-equiv", "")
    with pytest.raises(SystemExit):
        main(["tensors", str(tmp_path / "run"), str(tmp_path / "run"), "--plot", str(target)])
    assert "--plot draws one folder" in capsys.readouterr().err
