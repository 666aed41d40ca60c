"""Archives of real torch, alone and beside scripts: what is found, and above all what is not."""

from __future__ import annotations

import json
import os
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.config import OWN_FILE, Config
from aoti_lint.config import load as load_config
from aoti_lint.engine.check import check
from aoti_lint.options import Options
from tests.package.archives import place

Found = list[tuple[str, str, str]]
Lint = Callable[..., Found]


@pytest.fixture
def lint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lint:
    """Check archives, by name, beside files; gives code, confidence and message of what is found."""
    monkeypatch.chdir(tmp_path)

    def run(*archives: str, torch: str = "2.13", age: float = 0.0, pedantic: bool = True, **files: str) -> Found:
        for name, text in files.items():
            suffix = ".toml" if name == "config" else ".py"
            path = tmp_path / (OWN_FILE if name == "config" else name + suffix)
            path.write_text(text, encoding="utf-8")
        placed = [str(place(name, tmp_path, age=age)) for name in archives]
        config = load_config(OWN_FILE) if "config" in files else Config()
        named = [*placed, *(f"{name}.py" for name in files if name != "config")]
        options = Options(named, config, cache=False, torch_version=torch, pedantic=pedantic)
        document = check(options).document
        assert not document["errors"]
        return [(item["code"], item["confidence"], item["message"]) for item in document["diagnostics"]]

    return run


def codes(found: Found) -> list[str]:
    return sorted(code for code, _, _ in found)


def serve(archive: str, *lines: str) -> str:
    """A script that loads a package and does something with it."""
    load = f'torch._inductor.aoti_load_package("{archive}")'
    if archive == "two_models.pt2":
        load = f'torch._inductor.package.load_package("{archive}", "large")'
    return "\n".join(["import torch", f"run = {load}", *lines, ""])


def load(archive: str, *lines: str) -> str:
    """The same for an exported program."""
    return "\n".join(["import torch", f'program = torch.export.load("{archive}")', *lines, ""])


# ---------------------------------------------------------------- archives alone


@pytest.mark.parametrize(
    "archive",
    [
        "evaluated.pt2", "batch_statistics.pt2", "scaled.pt2", "padded_static.pt2", "frozen.pt2", "static.pt2",
        "dynamic.pt2", "auto.pt2", "specialised.pt2", "gpu_and_cpu.pt2", "on_gpu.pt2", "static_compiled.pt2",
        "dynamic_compiled.pt2", "auto_compiled.pt2", "scaled_compiled.pt2", "weights_outside.pt2", "two_models.pt2",
    ],
)  # fmt: skip
def test_an_archive_that_is_right_is_left_alone(lint: Lint, archive: str) -> None:
    assert lint(archive) == []


@pytest.mark.parametrize(
    ("archive", "code", "confidence"),
    [
        ("training.pt2", "AOTI601", "likely"),
        ("training_decomposed.pt2", "AOTI601", "likely"),
        ("branches.pt2", "AOTI601", "likely"),
        ("padded.pt2", "AOTI602", "likely"),
        ("histogram.pt2", "AOTI602", "possible"),
        ("two_gpus.pt2", "AOTI603", "likely"),
        ("mixed_precision.pt2", "AOTI605", "possible"),
        ("no_examples.pt2", "AOTI607", "possible"),
        ("printer.pt2", "AOTI609", "likely"),
        ("nan_asserts.pt2", "AOTI609", "likely"),
    ],
)
def test_what_an_archive_says_of_itself(lint: Lint, archive: str, code: str, confidence: str) -> None:
    assert [(c, sure) for c, sure, _ in lint(archive)] == [(code, confidence)]


def test_debug_symbols_alone_are_advice(lint: Lint) -> None:
    found = lint("debug_symbols.pt2")
    assert {(sure, "not optimised" in text) for _, sure, text in found} == {("possible", False), ("likely", True)}


def test_a_line_of_the_project_is_shown_where_the_text_is_the_same(tmp_path: Path, lint: Lint) -> None:
    (tmp_path / "tests/package").mkdir(parents=True)
    maker = Path(__file__).with_name("make_archives.py").read_text(encoding="utf-8")
    (tmp_path / "tests/package/make_archives.py").write_text(maker, encoding="utf-8")
    place("training.pt2", tmp_path)
    named = ["training.pt2", "tests/package/make_archives.py"]
    document = check(Options(named, Config(), cache=False, torch_version="2.13")).document
    found = [item for item in document["diagnostics"] if item["filename"] == "training.pt2"]
    related = [place for item in found for place in item["related"]]
    assert [item["filename"] for item in related] == ["tests/package/make_archives.py"]
    row = related[0]["location"]["row"]
    assert maker.splitlines()[row - 1].strip() == "return self.norm(self.drop(self.fc(x)))"


def test_a_line_that_has_changed_is_only_told(tmp_path: Path) -> None:
    (tmp_path / "make_archives.py").write_text("import torch\ntorch.export.export\n" * 40, encoding="utf-8")
    place("training.pt2", tmp_path)
    named = [str(tmp_path / name) for name in ("training.pt2", "make_archives.py")]
    document = check(Options(named, Config(), cache=False, torch_version="2.13")).document
    (item,) = document["diagnostics"]
    assert item["related"] == []
    assert "make_archives.py:" in item["label"]
    assert "self.drop" in item["label"]


def test_a_line_of_a_file_that_nobody_named_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tests/package").mkdir(parents=True)
    maker = Path(__file__).with_name("make_archives.py").read_text(encoding="utf-8")
    (tmp_path / "tests/package/make_archives.py").write_text(maker, encoding="utf-8")
    place("training.pt2", tmp_path)
    monkeypatch.chdir(tmp_path)
    (item,) = check(Options(["training.pt2"], Config(), cache=False, torch_version="2.13")).document["diagnostics"]
    assert [one["filename"] for one in item["related"]] == ["tests/package/make_archives.py"]


@pytest.mark.parametrize(
    ("archive", "text"),
    [
        ("printer.pt2", "aoti_torch_print_tensor_handle("), ("nan_asserts.pt2", "aoti_torch_check_inf_and_nan("),
        ("debug_symbols.pt2", "// g++ "),
    ],
)  # fmt: skip
def test_the_line_inside_shows_what_is_said(archive: str, text: str, tmp_path: Path) -> None:
    named = str(place(archive, tmp_path))
    (item, *_) = check(Options([named], Config(), cache=False, torch_version="2.13")).document["diagnostics"]
    with zipfile.ZipFile(named) as opened:
        rows = opened.read(item["inside"]["member"]).decode().split("\n")
    assert text in rows[item["inside"]["row"] - 1]
    assert not any(text in row for row in rows[: item["inside"]["row"] - 1] if "void" not in row)


def test_what_was_built_on_another_machine_stands_in_the_metadata(tmp_path: Path) -> None:
    named = str(place("static_compiled.pt2", tmp_path))
    (tmp_path / OWN_FILE).write_text('[target]\nplatform = "win32"\n', encoding="utf-8")
    config = load_config(str(tmp_path / OWN_FILE))
    document = check(Options([named], config, cache=False, torch_version="2.13")).document
    (item,) = [one for one in document["diagnostics"] if one["code"] == "AOTI610"]
    with zipfile.ZipFile(named) as opened:
        assert "AOTI_PLATFORM" in json.loads(opened.read(item["inside"]["member"]))


# ---------------------------------------------------------------- the versions


@pytest.mark.parametrize(
    ("torch", "expected"),
    [("2.13", []), ("2.15", []), ("2.9", ["possible"]), ("2.8", ["certain"]), ("2.5", ["certain"])],
)
def test_a_program_of_a_newer_torch(lint: Lint, torch: str, expected: list[str]) -> None:
    assert [sure for _, sure, _ in lint("static.pt2", torch=torch)] == expected


# ---------------------------------------------------------------- calls


@pytest.mark.parametrize(
    ("archive", "call", "confidence"),
    [
        ("static_compiled.pt2", "run(torch.zeros(16, 8))", "certain"),
        ("static_compiled.pt2", "run(torch.zeros(4, 8, 1))", "certain"),
        ("static_compiled.pt2", "run(torch.zeros(4, 8).double())", "likely"),
        ("static_compiled.pt2", "run(torch.zeros(4, 8, device='cuda'))", "certain"),
        ("dynamic_compiled.pt2", "run(torch.zeros(16, 9))", "certain"),
        ("on_gpu.pt2", "run(torch.zeros(4, 8))", "certain"),
        ("two_models.pt2", "run(torch.zeros(4, 9))", "certain"),
        ("static_compiled.pt2", "run(torch.zeros(4, 8), torch.zeros(4, 8))", "certain"),
        ("static_compiled.pt2", "run()", "certain"),
        ("static_compiled.pt2", "run(x=torch.zeros(4, 8))", "certain"),
        ("dynamic_compiled.pt2", "run(torch.zeros(100, 8))", "certain"),
        ("masked_compiled.pt2", "run(torch.zeros(3, 9), torch.zeros(3), factor=3.0)", "certain"),
        ("masked_compiled.pt2", "run(torch.zeros(3, 8), torch.zeros(4), factor=3.0)", "certain"),
        ("masked_compiled.pt2", "run(torch.zeros(3, 8), torch.zeros(3).int(), factor=3.0)", "likely"),
        ("masked_compiled.pt2", "run(torch.zeros(3, 8), torch.zeros(3), 3.0)", "certain"),
        ("masked_compiled.pt2", "run(torch.zeros(3, 8), factor=3.0)", "certain"),
        ("masked_compiled.pt2", "run(torch.zeros(3, 8), torch.zeros(3), factor=torch.tensor(3.0))", "certain"),
    ],
)
def test_a_call_that_breaks_the_contract(lint: Lint, archive: str, call: str, confidence: str) -> None:
    found = lint(archive, serve=serve(archive, call))
    assert [(code, sure) for code, sure, _ in found] == [("AOTI612", confidence)]


@pytest.mark.parametrize(
    ("archive", "call"),
    [
        ("static_compiled.pt2", "run(torch.zeros(4, 8))"),
        ("static_compiled.pt2", "run(unknown())"),
        ("static_compiled.pt2", "run(*unknown())"),
        ("dynamic_compiled.pt2", "run(torch.zeros(16, 8))"),
        ("dynamic_compiled.pt2", "run(torch.zeros(1, 8))"),
        ("auto_compiled.pt2", "run(torch.zeros(100, 8))"),
        ("static_compiled.pt2", "run(torch.zeros(4, 8), 3)"),
        ("masked_compiled.pt2", "run(torch.zeros(3, 8), torch.zeros(3), factor=3.0)"),
        ("masked_compiled.pt2", "run(torch.zeros(1, 8), torch.zeros(1), factor=unknown())"),
        ("masked_compiled.pt2", "run(torch.zeros(3, 8), unknown(), factor=3.0)"),
        ("masked_compiled.pt2", "run(torch.zeros(3, 8), **unknown())"),
        ("on_gpu.pt2", "run(torch.zeros(4, 8, device='cuda'))"),
        ("on_gpu.pt2", "run(torch.zeros(4, 8).to(run.device))"),
        # One of the two models takes it; which one was loaded, nobody says.
        ("two_models.pt2", "run(torch.zeros(16, 8))"),
    ],
)
def test_a_call_that_keeps_it(lint: Lint, archive: str, call: str) -> None:
    assert lint(archive, serve=serve(archive, "from other import unknown", call)) == []


def test_a_call_that_is_meant_to_fail_is_silent(lint: Lint) -> None:
    lines = ["import pytest", "with pytest.raises(RuntimeError):", "    run(torch.zeros(16, 8))"]
    assert lint("static_compiled.pt2", serve=serve("static_compiled.pt2", *lines)) == []


def test_an_export_in_the_project_speaks_for_itself(lint: Lint) -> None:
    """Where the script that builds the package is there, its rule speaks, and this one does not repeat it."""
    build = (
        "import torch\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return x.sin()\n"
        "program = torch.export.export(Net(), (torch.zeros(4, 8),))\n"
        'torch._inductor.aoti_compile_and_package(program, package_path="static_compiled.pt2")\n'
    )
    call = serve("static_compiled.pt2", "run(torch.zeros(16, 8))")
    assert codes(lint("static_compiled.pt2", build=build, serve=call)) == ["AOTI301"]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("(torch.ones(4, 8), 5)", ["AOTI604"]),
        ("(torch.ones(4, 8), 3)", []),
        ("(torch.ones(4, 8), k)", []),
        ("(torch.ones(4, 8), 3, 'cos')", []),
    ],
)
def test_a_frozen_value(lint: Lint, call: str, expected: list[str]) -> None:
    script = load("frozen.pt2", "from other import k", f"program.module(){call}")
    assert codes(lint("frozen.pt2", run=script)) == expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [("torch.ones(5, 8)", ["AOTI612"]), ("torch.ones(4, 8)", []), ("torch.ones(4, 8, dtype=torch.float64)", [])],
)
def test_a_program_checks_sizes_and_no_dtypes(lint: Lint, call: str, expected: list[str]) -> None:
    assert codes(lint("static.pt2", run=load("static.pt2", f"program.module()({call})"))) == expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("torch.ones(3, 8), torch.ones(3), factor=3.0", []),
        ("torch.ones(3, 8), torch.ones(4), factor=3.0", ["AOTI612"]),
        ("torch.ones(70, 8), torch.ones(70), factor=3.0", ["AOTI612"]),
        ("torch.ones(3, 8), torch.ones(3), factor=4.0", ["AOTI604"]),
    ],
)
def test_the_named_sizes_of_a_program(lint: Lint, call: str, expected: list[str]) -> None:
    assert codes(lint("masked.pt2", run=load("masked.pt2", f"program.module()({call})"))) == expected


def test_the_check_that_begins_at_2(lint: Lint) -> None:
    on = 'import os\nos.environ["AOTI_RUNTIME_CHECK_INPUTS"] = "1"\n'
    script = serve("dynamic_compiled.pt2", "run(torch.zeros(1, 8))")
    assert codes(lint("dynamic_compiled.pt2", serve=on + script)) == ["AOTI615"]
    assert lint("dynamic_compiled.pt2", serve=on + script.replace("(1, 8)", "(2, 8)")) == []


# ---------------------------------------------------------------- which archive is meant


@pytest.mark.parametrize(
    ("path", "confidence"),
    [
        ('"static_compiled.pt2"', "certain"),
        ('Path(__file__).parent / "static_compiled.pt2"', "certain"),
        ('f"{sys.argv[1]}/static_compiled.pt2"', "likely"),
        ('"other.pt2"', None),
        ('"dist/static_compiled.pt2"', None),
    ],
)
def test_a_path_means_an_archive(lint: Lint, path: str, confidence: str | None) -> None:
    script = (
        "import sys\nfrom pathlib import Path\nimport torch\n"
        f"run = torch._inductor.aoti_load_package({path})\nrun(torch.zeros(16, 8))\n"
    )
    found = lint("static_compiled.pt2", serve=script)
    assert [sure for _, sure, _ in found] == ([] if confidence is None else [confidence])


AUTO = """\
import torch
class Net(torch.nn.Module):
    def forward(self, x):
        return x.reshape(4, 2, 4).sum(-1)
program = torch.export.export(Net(), (torch.zeros(4, 8),), dynamic_shapes=({0: DIM},))
torch.export.save(program, "ARCHIVE")
"""


def auto(archive: str, dim: str = "torch.export.Dim.AUTO") -> str:
    return AUTO.replace("ARCHIVE", archive).replace("DIM", dim)


def hidden(script: str) -> str:
    """The same, with a model that is made where nobody sees it."""
    return script.replace("import torch\n", "import torch, nets\n").replace("(Net()", "(nets.Net()")


def test_what_was_declared_dynamic_and_is_not(lint: Lint) -> None:
    """AOTI323 says it of the `reshape` where that is seen; of a model that is not, AOTI614 says it of the archive."""
    for dim in ("torch.export.Dim.AUTO", 'torch.export.Dim("b")'):
        script = auto("specialised.pt2", dim)
        assert codes(lint("specialised.pt2", build=script)) == ["AOTI323"]
        assert codes(lint("specialised.pt2", build=hidden(script))) == ["AOTI614"]
    assert lint("specialised.pt2", build=hidden(auto("specialised.pt2", "None"))) == []
    assert codes(lint("auto.pt2", build=auto("auto.pt2"))) == ["AOTI323"]


def test_auto_for_every_dimension_asks_for_what_can_be(lint: Lint) -> None:
    script = auto("auto.pt2").replace("{0: ", "{1: torch.export.Dim.AUTO, 0: ")
    assert codes(lint("auto.pt2", build=script)) == ["AOTI323"]


def test_an_archive_older_than_its_script_is_a_mere_possibility(tmp_path: Path, lint: Lint) -> None:
    found = lint("specialised.pt2", build=hidden(auto("specialised.pt2")), age=100.0)
    assert [(code, sure) for code, sure, _ in found] == [("AOTI614", "possible")]
    options = Options([str(tmp_path)], Config(), cache=False, torch_version="2.13", pedantic=True)
    assert [one["code"] for one in check(options).document["diagnostics"]] == []
    script = serve("static_compiled.pt2", "run(torch.zeros(16, 8))")
    build = (
        "import torch\nfrom other import program\n"
        "torch._inductor.aoti_compile_and_package(program, package_path='static_compiled.pt2')\n"
    )
    assert [sure for code, sure, _ in lint("static_compiled.pt2", build=build, serve=script)] == ["certain"]
    found = lint("static_compiled.pt2", build=build, serve=script, age=100.0)
    assert [(code, sure) for code, sure, _ in found if code == "AOTI612"] == [("AOTI612", "possible")]


def test_archives_in_a_folder_are_not_picked_up(tmp_path: Path, lint: Lint) -> None:
    place("training.pt2", tmp_path)
    assert lint(serve=serve("training.pt2")) == []
    document = check(Options([str(tmp_path)], Config(), cache=False, torch_version="2.13")).document
    assert document["diagnostics"] == []
    assert document["summary"]["files"] == 1


# ---------------------------------------------------------------- custom operators, weights, devices


OPS = """\
import torch
@torch.library.custom_op("shop::scale", mutates_args=())
def scale(x: torch.Tensor) -> torch.Tensor:
    return x * 2
@scale.register_fake
def _(x):
    return torch.empty_like(x)
"""


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (serve("scaled_compiled.pt2"), ["certain"]),
        (load("scaled.pt2"), ["certain"]),
        ("import ops\n" + serve("scaled_compiled.pt2"), []),
        ("from ops import scale\n" + load("scaled.pt2"), []),
        ("import middle\n" + serve("scaled_compiled.pt2"), []),
        ("import somewhere\n" + serve("scaled_compiled.pt2"), ["likely"]),
        ('import torch\ntorch.ops.load_library("ops.so")\n' + serve("scaled_compiled.pt2"), ["possible"]),
        ("import importlib\nimportlib.import_module('ops')\n" + serve("scaled_compiled.pt2"), ["possible"]),
        (OPS + serve("scaled_compiled.pt2"), []),
    ],
)
def test_the_library_of_a_custom_op(lint: Lint, script: str, expected: list[str]) -> None:
    archives = ["scaled_compiled.pt2", "scaled.pt2"]
    found = lint(*archives, ops=OPS, middle="import ops\n", serve=script)
    assert [sure for code, sure, _ in found if code == "AOTI606"] == expected


def test_a_custom_op_nobody_defines_here(lint: Lint) -> None:
    assert [sure for _, sure, _ in lint("scaled_compiled.pt2", serve=serve("scaled_compiled.pt2"))] == ["likely"]
    script = "import shop\n" + serve("scaled_compiled.pt2")
    assert [sure for _, sure, _ in lint("scaled_compiled.pt2", serve=script)] == ["possible"]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["run(torch.zeros(4, 8))"], ["certain"]),
        (["def go(x):", "    return run(x)"], ["certain"]),
        ([], ["likely"]),
        (["run.load_constants(torch.load('w.pt'), check_full_update=True)", "run(torch.zeros(4, 8))"], []),
    ],
)
def test_weights_that_lie_outside(lint: Lint, lines: list[str], expected: list[str]) -> None:
    found = lint("weights_outside.pt2", serve=serve("weights_outside.pt2", *lines))
    assert [sure for code, sure, _ in found if code == "AOTI613"] == expected


def test_a_library_on_another_device(lint: Lint) -> None:
    runner = 'import torch\nrun = torch._C._aoti.AOTIModelContainerRunner{}("on_gpu.so", 1)\n'
    assert codes(lint("on_gpu.so", serve=runner.format("Cpu"))) == ["AOTI611"]
    assert lint("on_gpu.so", serve=runner.format("Cuda")) == []
    choice = 'import sys\nimport torch\nrun = torch._export.aot_load("./on_gpu.so", sys.argv[1])\n'
    assert [code for code in codes(lint("on_gpu.so", serve=choice)) if code == "AOTI611"] == []


def test_a_program_without_examples_is_compiled(lint: Lint) -> None:
    lines = ["torch._inductor.aoti_compile_and_package(program)"]
    found = lint("no_examples.pt2", build=load("no_examples.pt2", *lines))
    assert [(code, sure) for code, sure, _ in found] == [("AOTI607", "certain")]


# ---------------------------------------------------------------- the target and the gate


@pytest.mark.parametrize(
    ("archive", "table", "words"),
    [
        ("static_compiled.pt2", 'cpu-isa = "AVX2"', ["AVX512"]),
        ("static_compiled.pt2", 'cpu-isa = ["AMX_TILE"]', []),
        ("static_compiled.pt2", 'platform = "win32"', ["win32"]),
        ("static_compiled.pt2", 'platform = "Linux"', []),
        ("static_compiled.pt2", 'machine = "aarch64"', ["aarch64"]),
        ("static_compiled.pt2", 'machine = "amd64"', []),
        ("static_compiled.pt2", 'device = "cuda"', ["cuda"]),
        ("static_compiled.pt2", 'compute-capability = "8.0"', []),
        ("on_gpu.pt2", 'compute-capability = "8.0"', ["80"]),
        ("on_gpu.pt2", 'compute-capability = "sm_90"', []),
        ("on_gpu.pt2", 'compute-capability = "10.0"', ["100"]),
        ("on_gpu.pt2", 'device = "cpu"', ["cpu"]),
        ("on_gpu.pt2", 'device = "cuda:1"', []),
    ],
)
def test_the_target(lint: Lint, archive: str, table: str, words: list[str]) -> None:
    found = lint(archive, config=f"[target]\n{table}\n")
    assert codes(found) == ["AOTI610"] * len(words)
    assert all(word in found[0][2] for word in words)


@pytest.mark.parametrize(
    ("archive", "table", "word"),
    [
        ("static_compiled.pt2", 'dynamic = { "static*.pt2" = ["args[0].0"] }', "is 4 for ever"),
        ("dynamic_compiled.pt2", 'dynamic = { "static*.pt2" = ["args[0].0"] }', None),
        ("dynamic_compiled.pt2", 'dynamic = { "*" = ["args[0].0"] }', None),
        ("dynamic.pt2", 'dynamic = { "*" = ["x.0"] }', None),
        ("dynamic.pt2", 'dynamic = { "*" = ["x.1"] }', "dimension 1 of x is 8"),
        ("dynamic.pt2", 'dynamic = { "*" = ["y.0"] }', "no input y"),
        ("printer.pt2", "debug-code = false", "debug printer"),
        ("static_compiled.pt2", "debug-code = false", None),
        ("static_compiled.pt2", 'max-size = "1KB"', "1000 bytes are allowed"),
        ("static_compiled.pt2", 'max-size = "1MiB"', None),
        ("scaled_compiled.pt2", "custom-ops = []", "shop::scale"),
        ("scaled.pt2", 'custom-ops = ["shop::*"]', None),
        ("on_gpu.pt2", 'device = "cpu"', "compiled for cuda"),
        ("on_gpu.pt2", 'architectures = ["sm_90", "x86_64"]', None),
        ("on_gpu.pt2", 'architectures = ["8.0"]', "compiled for 90"),
        ("static_compiled.pt2", 'architectures = ["8.0"]', None),
        ("static_compiled.pt2", 'architectures = ["aarch64"]', "compiled for x86_64"),
    ],
)
def test_the_gate(lint: Lint, archive: str, table: str, word: str | None) -> None:
    found = lint(archive, config=f"[package]\n{table}\n")
    assert [(code, sure) for code, sure, _ in found] == ([] if word is None else [("AOTI620", "certain")])
    assert word is None or word in found[0][2]


def test_what_a_finding_is_known_by(tmp_path: Path) -> None:
    def fingerprints(folder: Path) -> list[str]:
        path = place("training.pt2", folder)
        (folder / "setup.cfg").touch()
        os.utime(path, (time.time(), 5.0))
        found: dict[str, Any] = check(Options([str(path)], Config(), cache=False, torch_version="2.13")).document
        return [item["fingerprint"] for item in found["diagnostics"]]

    assert fingerprints(tmp_path / "a") == fingerprints(tmp_path / "b") != []


# ---------------------------------------------------------------- the loader


@pytest.mark.parametrize(
    ("load", "expected"),
    [
        ('torch._inductor.aoti_load_package("two_models.pt2")', ["AOTI212"]),
        ('torch._inductor.package.load_package("two_models.pt2", "medium")', ["AOTI212"]),
        ('torch._inductor.package.load_package("two_models.pt2", "large")', []),
        ('torch._inductor.aoti_load_package("static_compiled.pt2")', []),
        ('torch._inductor.package.load_package("static_compiled.pt2", "net")', ["AOTI212"]),
        ('torch.load("static_compiled.pt2")', ["AOTI616"]),
        ('torch.jit.load("static.pt2")', ["AOTI616"]),
    ],
)
def test_the_model_that_is_asked_for(lint: Lint, load: str, expected: list[str]) -> None:
    archives = ("two_models.pt2", "static_compiled.pt2", "static.pt2")
    told = codes(lint(*archives, script=f"import torch._inductor\n{load}\n"))
    found = [code for code in told if code in ("AOTI212", "AOTI616")]
    assert found == expected


def test_a_package_that_is_loaded_as_a_program(lint: Lint) -> None:
    found = lint("static_compiled.pt2", script=load("static_compiled.pt2"))
    assert [(code, sure) for code, sure, _ in found] == [("AOTI616", "certain")]


def test_a_program_that_is_loaded_as_a_package(lint: Lint) -> None:
    found = lint("static.pt2", script=serve("static.pt2"))
    assert [(code, sure) for code, sure, _ in found] == [("AOTI616", "certain")]


@pytest.mark.parametrize(
    "lines",
    [
        # The file is made anew as what it is loaded as.
        "torch.export.save(program, 'net.pt2')\ntorch.export.load('net.pt2')",
        # One archive may hold both.
        "from torch.export.pt2_archive._package import package_pt2\n"
        "package_pt2('net.pt2', exported_programs=program, aoti_files=[])\ntorch.export.load('net.pt2')",
        "import torch.export.pt2_archive._package as pt2\n"
        "pt2.package_pt2('net.pt2', exported_programs=program)\ntorch.export.load('net.pt2')",
        # A fallback that is meant.
        "try:\n    torch.export.load('net.pt2')\nexcept RuntimeError:\n    pass",
        "torch.export.load('other.pt2')",
    ],
)
def test_loaders_that_are_right(lint: Lint, lines: str) -> None:
    script = f"""\
import torch

program = torch.export.export(torch.nn.Linear(8, 4).eval(), (torch.ones(2, 8),))
torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
{lines}
"""
    assert "AOTI616" not in codes(lint(script=script))


def test_another_script_may_save_a_program_there(lint: Lint) -> None:
    head = (
        "import torch\nprogram = torch.export.export(torch.nn.Linear(8, 4).eval(), (torch.ones(2, 8),))\n"
        "path = 'net.pt2'\n"
    )
    build = head + "torch._inductor.aoti_compile_and_package(program, package_path=path)\n"
    save = head + "torch.export.save(program, path)\n"
    assert codes(lint(build=build, serve=load("net.pt2"))) == ["AOTI616"]
    assert codes(lint(build=build, save=save, serve=load("net.pt2"))) == []


@pytest.mark.parametrize(
    ("names", "expected"),
    [("{'fc.weight': 0, 'fc.wt': 1}", ["AOTI218"]), ("{'fc.weight': 0}", []), ("torch.load('w.pt')", [])],
)
def test_names_of_weights(lint: Lint, names: str, expected: list[str]) -> None:
    load = f"run.load_constants({names}, check_full_update=False)"
    assert codes(lint("weights_outside.pt2", script=serve("weights_outside.pt2", load))) == expected


def test_several_models_have_programs_too(lint: Lint) -> None:
    assert codes(lint("two_models.pt2", script=serve("two_models.pt2"))) == []
