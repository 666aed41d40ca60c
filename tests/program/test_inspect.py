"""`aoti-lint inspect`: tables, JSON and the comparison of two files."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from aoti_lint.cli.main import main
from aoti_lint.program import facts
from aoti_lint.program.compiled.wrapper import items
from aoti_lint.program.diff import Comparison, compare
from aoti_lint.program.read import read
from tests.program.test_views import ARCHIVES

NEWEST = ARCHIVES / "2.13.0"
Captured = pytest.CaptureFixture[str]


def test_program(capsys: Captured) -> None:
    assert main(["inspect", str(NEWEST / "kwargs_all.pt2")]) == 0
    said = capsys.readouterr().out
    for words in (
        "exported by torch  2.13.0", "(x, scale, flag, extra, k)", "always False", "1 to 64", "x.shape[0]",
        "x.shape[0] == extra.shape[0]", "out['y']", "aten.linear.default", "models/model.json",
    ):  # fmt: skip
        assert words in said


def test_package(capsys: Captured) -> None:
    assert main(["inspect", str(NEWEST / "derived.aoti.pt2")]) == 0
    said = capsys.readouterr().out
    for words in (
        "unknown (a package does not record it)", "2*s77", "AVX512", "in the library", "aoti_torch_cpu_addmm_out",
        "A lower bound of 2 may stand for 1 or 0", "only with AOTI_RUNTIME_CHECK_INPUTS=1",
    ):  # fmt: skip
        assert words in said


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("debug_printer", "prints kernel names"),
        ("debug_printer2", "prints values"),
        ("nan_asserts", "NaN asserts"),
        ("weights_out", "load_constants must be called"),
        ("customop", "corpus::scale"),
        ("metadata", "who=me"),
        ("checks", "An upper bound of 4096 may be Inductor's own"),
    ],
)
def test_what_was_compiled_in(name: str, words: str, capsys: Captured) -> None:
    assert main(["inspect", str(NEWEST / f"{name}.aoti.pt2")]) == 0
    assert words in capsys.readouterr().out


def test_json_is_the_models(capsys: Captured) -> None:
    path = str(NEWEST / "tree.pt2")
    assert main(["inspect", path, "--output-format", "json"]) == 0
    short = json.loads(capsys.readouterr().out)
    assert short["format"] == "aoti-lint/inspect-1"
    assert "calls" not in short["programs"][0]
    assert main(["inspect", path, "--output-format", "json", "--graph"]) == 0
    assert facts.Archive.model_validate_json(capsys.readouterr().out) == read(path)


def test_same_file_has_no_difference(capsys: Captured) -> None:
    for path in sorted(NEWEST.glob("*.pt2")):
        assert compare(read(str(path)), read(str(path))) == []
    path = NEWEST / "dim.pt2"
    assert main(["inspect", str(path), str(path), "--fail-on", "any"]) == 0
    assert capsys.readouterr().out == "No difference.\n"


def test_symbols_are_named_anew_in_every_export() -> None:
    """`dim` and `dim_strict` differ in nothing but the number of the symbol."""
    assert compare(read(str(NEWEST / "dim.pt2")), read(str(NEWEST / "dim_strict.pt2"))) == []


@pytest.mark.parametrize(
    ("before", "after", "breaking", "what"),
    [
        ("static.pt2", "dim.pt2", False, "input x, dim 0"),
        ("static.pt2", "dim.pt2", False, "shape of output out"),
        ("static.aoti.pt2", "dim.aoti.pt2", False, "shape of output out"),
        ("dim.pt2", "static.pt2", True, "input x, dim 0"),
        ("dim.pt2", "dim_min4.pt2", True, "input x, dim 0"),
        ("dim.pt2", "dim_nomax.pt2", False, "input x, dim 0"),
        ("shared_dim.aoti.pt2", "derived.aoti.pt2", True, "input args[1], dim 0"),
        ("static.aoti.pt2", "weights_out.aoti.pt2", True, "weights"),
        ("static.aoti.pt2", "nan_asserts.aoti.pt2", False, "debug code"),
    ],
)
def test_what_breaks_callers(before: str, after: str, breaking: bool, what: str, capsys: Captured) -> None:
    paths = [str(NEWEST / before), str(NEWEST / after)]
    found = {item.what: item for item in compare(*(read(path) for path in paths))}
    assert found[what].breaking is breaking
    assert bool(found[what].why) is breaking
    any_breaks = any(item.breaking for item in found.values())
    assert main(["inspect", *paths]) == 0
    assert main(["inspect", *paths, "--fail-on", "breaking"]) == int(any_breaks)
    assert main(["inspect", *paths, "--fail-on", "any"]) == 1
    capsys.readouterr()
    assert main(["inspect", *paths, "--output-format", "json"]) == 0
    assert {item.what for item in Comparison.model_validate_json(capsys.readouterr().out).differences} == found.keys()


def _with_output(archive: facts.Archive, size: facts.Size) -> facts.Archive:
    """The file with one size of its output changed."""
    [program] = archive.programs
    [output] = program.outputs
    assert output.tensor is not None
    tensor = output.tensor.model_copy(update={"shape": (size, *output.tensor.shape[1:])})
    changed = program.model_copy(update={"outputs": (output.model_copy(update={"tensor": tensor}),)})
    return archive.model_copy(update={"programs": (changed,)})


@pytest.mark.parametrize(("size", "breaking"), [("s77//2", False), ("s77 + 1", True), ("s1*2", True)])
def test_a_size_worked_out_from_one_that_was_fixed(size: str, breaking: bool) -> None:
    """Calls in the old way give 4 for s77, and got 2."""
    before, after = (read(str(NEWEST / f"{name}.pt2")) for name in ("static", "dim"))
    found = {one.what: one for one in compare(_with_output(before, 2), _with_output(after, size))}
    assert found["shape of output out"].breaking is breaking


def test_a_comma_in_a_call_separates_no_sizes() -> None:
    assert [*items("{c10::div_floor_integer(s77, 2L), 16L}")] == ["c10::div_floor_integer(s77, 2L)", "16L"]
    assert [*items("{f(g(a, b), c), }")] == ["f(g(a, b), c)"]
    assert [*items("{}")] == []


def test_devices_and_releases_differ() -> None:
    cuda = read(str(ARCHIVES / "2.11.0-cuda" / "static.aoti.pt2"))
    cpu = read(str(ARCHIVES / "2.11.0-cuda" / "cpu.aoti.pt2"))
    found = {item.what: item for item in compare(cpu, cuda)}
    assert found["device type"].breaking
    assert found["device of input args[0]"].after == "cuda"
    assert found["compute capability"].after == "90"


def test_usage(capsys: Captured) -> None:
    path = str(NEWEST / "dim.pt2")
    assert main(["inspect", path, "--fail-on", "any"]) == 2
    assert main(["inspect", path, path, path]) == 2
    assert "two to compare" in capsys.readouterr().err


def test_torch_is_not_imported() -> None:
    code = (
        "import sys; from aoti_lint.cli.main import main; code = main(sys.argv[1:]);"
        "sys.exit(bool({'torch', 'numpy', 'libcst'} & set(sys.modules)) or code)"
    )
    for name in ("buffers.pt2", "buffers.aoti.pt2"):
        words = [sys.executable, "-c", code, "inspect", str(NEWEST / name)]
        assert subprocess.run(words, capture_output=True, check=False).returncode == 0


def test_what_is_written_to() -> None:
    """Through views, in the body of `no_grad`, by `out=` and by batch norm in training; copies are not followed."""
    (program,) = read(str(NEWEST / "written.pt2")).programs
    assert [weight.name for weight in program.weights if weight.mutated] == [
        "kv", "guarded", "norm.running_mean", "norm.running_var", "norm.num_batches_tracked",
    ]  # fmt: skip
    assert [item.path for item in program.inputs if item.mutated] == ["out", "other"]


def test_a_dim_says_which_number_it_is(capsys: Captured) -> None:
    assert main(["inspect", str(NEWEST / "symint.pt2")]) == 0
    (program,) = read(str(NEWEST / "symint.pt2")).programs
    (number,) = (item for item in program.inputs if item.kind == "symbol")
    row = next(line for line in capsys.readouterr().out.splitlines() if line.startswith(f"{number.value} "))
    assert number.path in row.split()[-1].split(",")


def _changed(before: facts.Archive, after: facts.Archive) -> dict[str, tuple[str | None, str | None, bool]]:
    return {item.what: (item.before, item.after, item.breaking) for item in compare(before, after)}


def test_a_size_that_comes_to_depend_on_another_breaks_callers() -> None:
    bound = read(str(NEWEST / "shared_dim.aoti.pt2"))
    (package,) = bound.packages
    first, second = package.inputs
    assert first.tensor is not None
    assert second.tensor is not None
    symbol = str(first.tensor.shape[0])
    tensor = second.tensor.model_copy(update={"shape": ("s1", *second.tensor.shape[1:])})
    free = package.model_copy(update={
        "inputs": (first, second.model_copy(update={"tensor": tensor})),
        "dims": {**package.dims, "s1": package.dims[symbol]},
    })  # fmt: skip
    loose = bound.model_copy(update={"packages": (free,)})
    what = "input args[1], dim 0"
    assert _changed(loose, bound)[what] == ("any, on its own", "args[0].shape[0]", True)
    assert _changed(bound, loose)[what] == ("args[0].shape[0]", "any, on its own", False)


def test_numbers_that_are_passed_in_are_compared() -> None:
    archive = read(str(NEWEST / "symint.pt2"))
    (program,) = archive.programs
    place, number = next((i, item) for i, item in enumerate(program.inputs) if item.kind == "symbol")
    what, symbol = f"value of input {number.path}", str(number.value)
    inputs = list(program.inputs)

    def with_range(low: int | None, high: int | None) -> facts.Archive:
        dims = {**program.dims, symbol: facts.Range(min=low, max=high)}
        return archive.model_copy(update={"programs": (program.model_copy(update={"dims": dims}),)})

    assert _changed(with_range(0, 9), with_range(2, 9))[what] == ("0 to 9", "2 to 9", True)
    assert _changed(with_range(2, 9), with_range(0, 9))[what] == ("2 to 9", "0 to 9", False)
    inputs[place] = number.model_copy(update={"kind": "int", "frozen": True, "value": 3})
    fixed = archive.model_copy(update={"programs": (program.model_copy(update={"inputs": tuple(inputs)}),)})
    assert _changed(with_range(0, 9), fixed)[what] == ("0 to 9", "always 3", True)
    assert _changed(fixed, with_range(0, 9))[what] == ("always 3", "0 to 9", False)
