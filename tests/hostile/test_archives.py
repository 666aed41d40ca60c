"""Programs in archives whose numbers, expressions, nesting and members are far out."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.cli.main import main
from aoti_lint.program.compiled.wrapper import read_wrapper
from aoti_lint.program.container.archive import MAX_READ, ZipArchive
from aoti_lint.program.errors import Unreadable
from aoti_lint.program.read import MAX_MODELS, read_file
from aoti_lint.program.symbolic import evaluate, parse
from tests.hostile.child import within_bounds
from tests.program.mutations import members, pack
from tests.program.test_views import ARCHIVES

FILES = members((ARCHIVES / "2.13.0" / "kwargs_all.pt2").read_bytes())
PROGRAM = next(name for name in FILES if name.endswith("models/model.json"))
Change = Callable[[dict[str, Any]], None]


def changed(change: Change) -> bytes:
    """The archive with its program changed."""
    program = json.loads(FILES[PROGRAM])
    change(program)
    return pack({**FILES, PROGRAM: json.dumps(program).encode()}, zipfile.ZIP_DEFLATED)


def sized(*sizes: object) -> Change:
    """The first sizes of all tensors."""

    def change(program: dict[str, Any]) -> None:
        for tensor in program["graph_module"]["graph"]["tensor_values"].values():
            tensor["sizes"] = [*sizes, *tensor["sizes"][len(sizes) :]]

    return change


def said(text: str) -> dict[str, object]:
    return {"as_expr": {"expr_str": text, "hint": None}}


def nested(depth: int) -> Change:
    def change(program: dict[str, Any]) -> None:
        spec = '{"type":null,"context":null,"children_spec":[]}'
        for _ in range(depth):
            spec = '{"type":"builtins.tuple","context":"null","children_spec":[' + spec + "]}"
        program["graph_module"]["module_call_graph"][0]["signature"] |= {"in_spec": f"[1,{spec}]"}

    return change


OUT_OF_BOUNDS = {
    "a size of 4,000 digits": sized({"as_int": 10**4000}),
    "a size of 1e400": sized({"as_int": float("inf")}),
    "an expression of 4,000 digits": sized(said("9" * 4_000)),
    "a power of powers": sized(said("(((((((9**64)**64)**64)**64)**64)**64)**64)")),
    "a product of long numbers": sized(said("*".join(["9" * 3_000] * 6))),
    "an infinite size": sized(said("1e999")),
    "oo": sized(said("oo")),
    "rounded": sized(said("round(5, -10**9)")),
    "deep divisions": sized(said("s0" + "//2" * 300)),
    "many dimensions": sized(*[{"as_int": 1}] * 20_000),
    "deep arguments": nested(400),
}


COMMANDS = (["inspect"], ["inspect", "--output-format", "json"], ["check", "--no-cache"])


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> None:
    """All that the commands import is there before the children are made."""
    path = tmp_path_factory.mktemp("warm") / "a.pt2"
    path.write_bytes(pack(FILES))
    for command in COMMANDS:
        main([*command, str(path)])


@pytest.mark.parametrize("how", OUT_OF_BOUNDS)
@pytest.mark.usefixtures("warm")
def test_programs(tmp_path: Path, how: str) -> None:
    path = tmp_path / "a.pt2"
    path.write_bytes(changed(OUT_OF_BOUNDS[how]))

    def work() -> list[int]:
        return [main([*command, str(path)]) for command in COMMANDS]

    assert set(json.loads(within_bounds(work))) <= {0, 1, 2}


def test_one_line_and_exit_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.pt2"
    path.write_bytes(changed(sized({"as_int": 10**4000})))
    assert main(["check", "--no-cache", str(path)]) == 2
    said = capsys.readouterr()
    assert "more than 64 bits" in " ".join((said.out + said.err).split())
    assert max(map(len, (said.out + said.err).splitlines())) < 1_000


@pytest.mark.parametrize("text", ["9" * 300, "s0" + "-1" * 200, "Max(1," * 150 + "s0" + ")" * 150])
def test_expressions_are_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        parse(text)


def test_values_have_bounds() -> None:
    assert evaluate(parse("2**63*2"), {}) == 2**64
    assert evaluate(parse("(2**64)**64"), {}) is None
    assert evaluate(parse("round(25, -1)"), {}) == 20
    assert evaluate(parse("round(25, -1000000000)"), {}) is None


def test_members_over_each_other_are_unpacked_so_often(tmp_path: Path) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("m/a", bytes(40 << 20))
    with ZipArchive(made) as opened:
        for _ in range(MAX_READ // (40 << 20)):
            assert len(opened.read("m/a", 40 << 20)) == 40 << 20
        with pytest.raises(Unreadable, match="up to 256"):
            opened.read("m/a", 40 << 20)


def test_so_many_programs_are_read() -> None:
    folder = PROGRAM.removesuffix("model.json")
    data = pack({**FILES, **{f"{folder}m{number}.json": FILES[PROGRAM] for number in range(2 * MAX_MODELS)}})
    found = read_file(io.BytesIO(data), "a.pt2")
    assert len(found.programs) == MAX_MODELS
    assert f"the first {MAX_MODELS} are read" in found.problems[-1].message


@pytest.mark.parametrize(
    "text",
    [
        f"    constants_info_[{'9' * 5_000}].shape = {{1}};\n    output_handles[{'9' * 5_000}] = a.release();",
        f'    inputs_info_[{"9" * 5_000}].name = "x";',
        "    x_size[ " + "a" * 19_000 + "\n" + ("    x_expected_" + "a" * 19_000 + "\n") * 300,
        ('assert_size_stride(a, {"' * 800 + "\n") * 300,
        ("output_handles[1] = " * 900 + "\n") * 300,
        ": AOTInductorModelBase(" * 30_000,
        "// /" + "a" * 500_000,
        '    in_spec_ = R"(' * 100_000,
    ],
    ids=["indices", "inputs", "words", "asserts", "outputs", "bases", "commands", "specs"],
)
def test_wrappers_end(text: str) -> None:
    assert within_bounds(lambda: len(read_wrapper(text).kernels)) == "0"


def test_the_weights_of_a_wrapper_are_numbers_of_64_bits() -> None:
    from aoti_lint.program.compiled.compiled import describe

    text = "    constants_info_[0].dtype = cached_torch_dtype_float32;\n" + (
        f"    constants_info_[0].shape = {{{'9' * 3_000}, 2}};\n"
    )
    (weight,) = describe("m", text, None, {}, {}, None, []).weights
    assert weight.tensor is not None
    assert weight.tensor.shape == ("?", 2)
