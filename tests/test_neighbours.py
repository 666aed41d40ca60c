"""Order, names and neighbours of files and definitions decide nothing, for some of all programs in every run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.metamorphic.neighbours import RELATIONS, Bench, sample
from tests.metamorphic.programs import programs
from tests.metamorphic.verdicts import TORCH, write


@pytest.mark.parametrize("name", RELATIONS)
def test_nothing_is_said_otherwise(name: str, tmp_path: Path) -> None:
    relation, every = RELATIONS[name]
    bench = Bench(tmp_path, sample(every))
    found = list(relation(bench))
    assert not found, "\n".join(found)
    assert bench.checks > 20
    assert sum(map(len, bench.before.values())) > 5


def test_the_seed_of_hashes_decides_nothing(tmp_path: Path) -> None:
    """The whole document is the same, with all that belongs to a finding."""
    for number, program in enumerate(sample(30).values()):
        write(tmp_path / f"p{number}", program.files)
    command = [sys.executable, "-m", "aoti_lint", "check", "--no-cache", "--no-config", "--exit-zero", "--pedantic",
               "--output-format", "json", "--torch-version", TORCH, str(tmp_path)]  # fmt: skip
    documents = [
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout
        for seed in ("0", "1", "77")
    ]
    assert len(json.loads(documents[0])["diagnostics"]) > 5
    assert documents[1:] == documents[:-1]


CONFIG = "import torch\nimport torch._inductor.config\ntorch._inductor.config.{} = {}\n"


@pytest.mark.parametrize(
    ("name", "code", "setter"),
    [
        ("truth 109_multi_model_no_package_option", "AOTI211", CONFIG.format("aot_inductor.package", True)),
        ("single 230_min_one_checked_bad", "AOTI508", CONFIG.format("aot_inductor.check_lowerbound", False)),
        (
            "single 228_printing_in_fullgraph_bad",
            "AOTI515",
            "import torch\ntorch._dynamo.config.reorderable_logging_functions.add(print)\n",
        ),
    ],
)
def test_what_another_program_sets_silences_nothing(name: str, code: str, setter: str, tmp_path: Path) -> None:
    """A setting that makes a program right counts where its process may run it, not wherever it stands."""
    (text,) = programs()[name].files.values()
    bench = Bench(tmp_path, {})

    def codes(files: dict[str, str]) -> set[str]:
        return {one.code for one in bench.check(files) if one.file.endswith("script.py")}

    assert code in codes({"a/script.py": text, "b/other.py": setter})
    assert code not in codes({"script.py": f"import other\n{text}", "other.py": setter})
    assert code not in codes({"script.py": text, "other.py": setter, "both.py": "import other\nimport script\n"})


OPS = """\
import torch
LIB = torch.library.Library("neigh", "DEF")
LIB.define("twice(Tensor x) -> Tensor")
LIB.impl("twice", lambda x: x * 2, "CPU")
"""
FAKES = """\
import torch
from ops import LIB
for name in ("tw" + "ice",):
    torch.library.register_fake(f"neigh::{name}", torch.empty_like)
"""


def test_a_file_alone_is_told_what_others_beside_it_give_it(tmp_path: Path) -> None:
    """The fake of an op stands in another file, beside the kernel, under a name that is put together."""
    bench = Bench(tmp_path, {})
    assert {one.code for one in bench.check({"ops.py": OPS}, "ops.py")} == {"AOTI401"}
    assert bench.check({"ops.py": OPS, "fakes.py": FAKES}, "ops.py") == set()
