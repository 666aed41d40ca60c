"""AOTI331, AOTI301, AOTI335 and AOTI102: what a C++ program gives to a package."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

BUILD = """import torch

class Net(torch.nn.Module):
    def forward(self, x, rows):
        return x * 2 + rows

example = (torch.randn(4, 4, device="{device}"), torch.ones(4, dtype=torch.int64, device="{device}"))
program = torch.export.export(Net(), example)
torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
"""
HOST = """#include <torch/torch.h>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>

int main(int argc, char** argv) {{
  torch::inductor::AOTIModelPackageLoader loader("net.pt2");
  {body}
}}
"""
BODIES = [
    ("loader.run({torch::ones({4, 4}), torch::ones({4}, torch::kLong)});", "cpu", []),
    ("loader.run({torch::ones({4, 4}), torch::ones({4})});", "cpu", ["AOTI331"]),
    ("loader.run({torch::ones({4, 4}).to(torch::kDouble), torch::ones({4}, torch::kLong)});", "cpu", ["AOTI331"]),
    ("std::vector<torch::Tensor> in;\nin.push_back(torch::ones({4, 4}, torch::kHalf));\n"
     "in.push_back(torch::ones({4}, torch::kLong));\nloader.run(in);", "cpu", ["AOTI331"]),
    ("loader.run({torch::ones({4, 4}), torch::ones({4}, torch::kLong)});", "cuda", ["AOTI102", "AOTI102"]),
    ("loader.run({torch::ones({4, 4}).cuda(), torch::ones({4}, torch::kLong).to(torch::kCUDA)});", "cuda", []),
    ("auto device = torch::Device(argv[1]);\n"
     "loader.run({torch::ones({4, 4}).to(device), torch::ones({4}, torch::kLong).to(device)});", "cuda", []),
    # One input is missing: which one stands for which is not known.
    ("loader.run({torch::ones({4})});", "cpu", ["AOTI335"]),
    ("loader.run({torch::ones({4}), x, torch::ones({4})});", "cpu", ["AOTI335"]),
    ("std::vector<torch::Tensor> in = {x};\nfill(in);\nloader.run(in);", "cpu", []),
    # Sizes.
    ("loader.run({torch::ones({16, 4}), torch::ones({4}, torch::kLong)});", "cpu", ["AOTI301"]),
    ("loader.run({torch::ones({4, 4, 1}), torch::ones({4}, torch::kLong)});", "cpu", ["AOTI301"]),
    ("loader.run({torch::ones({rows, 4}), torch::ones({4}, torch::kLong)});", "cpu", []),
    ("constexpr int64_t rows = 16;\nloader.run({torch::ones({rows, 4}), torch::ones({4}, torch::kLong)});", "cpu",
     ["AOTI301"]),
    ("const int rows{4};\nloader.run({torch::ones({rows, 4}), torch::ones({4}, torch::kLong)});", "cpu", []),
    ("loader.run({torch::ones({2, 8}).view({4, 4}), torch::ones({4}, torch::kLong)});", "cpu", []),
    ("loader.run({torch::randint(0, 9, {2, 4}, torch::kFloat), torch::ones({4}, torch::kLong)});", "cpu",
     ["AOTI301"]),
    ("float data[16];\nloader.run({torch::from_blob(data, {2, 4}), torch::ones({4}, torch::kLong)});", "cpu",
     ["AOTI301"]),
]  # fmt: skip


@pytest.mark.parametrize(("folder", "codes"), [("out", []), (".", ["AOTI335"])])
def test_a_package_that_something_else_writes(folder: str, codes: list[str], tmp_path: Path) -> None:
    """A script loads a file of the same name that nothing known writes: the program may mean that one."""
    serve = f"import torch\nmodel = torch._inductor.aoti_load_package('{folder}/net.pt2')\n"
    host = HOST.format(body="loader.run({torch::ones({4})});")
    files = {"build.py": BUILD.format(device="cpu"), "serve.py": serve, "host.cpp": host}
    assert [one.code for one in lint_files(tmp_path / "run", files, torch="2.13")] == codes


@pytest.mark.parametrize(
    ("made", "loaded", "codes"),
    [
        ("net.pt2", "net.pt2", ["AOTI335"]),
        ("dist/net.pt2", "dist/net.pt2", ["AOTI335"]),
        ("dist/net.pt2", "net.pt2", ["AOTI335"]),
        ("net.pt2", "/opt/models/net.pt2", ["AOTI335"]),
        ("../dist/net.pt2", "dist/net.pt2", ["AOTI335"]),
        ("net.pt2", "nets.pt2", []),
    ],
)
def test_the_folders_of_a_package(made: str, loaded: str, codes: list[str], tmp_path: Path) -> None:
    """Where the program runs nobody says: the name counts, and the folders where they are the same."""
    build = BUILD.format(device="cpu").replace("net.pt2", made)
    host = HOST.format(body="loader.run({torch::ones({4})});").replace("net.pt2", loaded)
    found = lint_files(tmp_path / "run", {"build.py": build, "host.cpp": host}, torch="2.13")
    assert [one.code for one in found if one.code != "AOTI209"] == codes


@pytest.mark.parametrize(("loaded", "codes"), [("a/net.pt2", ["AOTI335"]), ("b/net.pt2", [])])
def test_folders_tell_packages_of_one_name_apart(loaded: str, codes: list[str], tmp_path: Path) -> None:
    other = "\nclass One(torch.nn.Module):\n    def forward(self, x):\n        return x\n\n" + (
        "program = torch.export.export(One(), (torch.ones(4),))\n"
        "torch._inductor.aoti_compile_and_package(program, package_path='b/net.pt2')\n"
    )
    build = BUILD.format(device="cpu").replace("net.pt2", "a/net.pt2") + other
    host = HOST.format(body="loader.run({torch::ones({4})});").replace("net.pt2", loaded)
    found = lint_files(tmp_path / "run", {"build.py": build, "host.cpp": host}, torch="2.13")
    assert [one.code for one in found if one.code != "AOTI209"] == codes


def test_is_told_at_either_end(tmp_path: Path) -> None:
    body = "loader.run({torch::ones({16, 4}), torch::ones({4}, torch::kLong)});"
    files = {"build.py": BUILD.format(device="cpu"), "host.cpp": HOST.format(body=body), "requirements.txt": "torch"}
    for name in ("build.py", "host.cpp"):
        found = lint_files(tmp_path / name, files, [name], torch="2.13")
        assert [(one.code, one.file.rpartition("/")[2]) for one in found] == [("AOTI301", name)]


@pytest.mark.parametrize(("body", "device", "codes"), BODIES)
def test_what_is_given(body: str, device: str, codes: list[str], tmp_path: Path) -> None:
    files = {"build.py": BUILD.format(device=device), "host.cpp": HOST.format(body=body)}
    found = lint_files(tmp_path / "run", files, torch="2.13")
    assert [one.code for one in found] == codes
    assert {one.file.rpartition("/")[2] for one in found} <= {"host.cpp"}


ARGUMENT = HOST.replace('("net.pt2")', "(argv[1])")
MORE = "torch._inductor.aoti_compile_and_package(program, package_path='other.pt2')\n"


@pytest.mark.parametrize(("more", "codes"), [("", ["AOTI335"]), (MORE, []), ("make(torch)\n", ["AOTI335"])])
def test_a_package_that_is_named_at_the_start_is_the_only_one(more: str, codes: list[str], tmp_path: Path) -> None:
    files = {"build.py": BUILD.format(device="cpu") + more, "host.cpp": ARGUMENT.format(body="loader.run({x});")}
    found = lint_files(tmp_path / "run", files, torch="2.13")
    assert [(one.code, one.severity, one.confidence) for one in found] == [
        (code, "warning", "likely") for code in codes
    ]


OUTPUTS = """import torch

class Net(torch.nn.Module):
    def forward(self, x):
        return {returned}

program = torch.export.export(Net(), (torch.ones(4),))
torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
"""


@pytest.mark.parametrize(
    ("returned", "index", "codes"),
    [
        ("x * 2, x + 1", 1, []),
        ("x * 2, x + 1", 2, ["AOTI226"]),
        ("{'a': x * 2, 'b': (x + 1, x)}", 2, []),
        ("{'a': x * 2, 'b': (x + 1, x)}", 3, ["AOTI226"]),
        ("x * 2", 0, []),
        ("x * 2", 1, ["AOTI226"]),
        ("x * 2, None, 3", 2, []),
        ("x * 2, None, 3", 3, ["AOTI226"]),
        ("x * 2, [other(x)]", 2, []),
    ],
)
def test_an_output_that_the_model_does_not_give(returned: str, index: int, codes: list[str], tmp_path: Path) -> None:
    """Run on torch 2.13: a `std::vector` of all that was returned, in its order, None and numbers as well."""
    host = HOST.format(body=f"auto out = loader.run({{torch::ones({{4}})}});\n  use(out[{index}]);")
    files = {"build.py": OUTPUTS.format(returned=returned), "host.cpp": host, "requirements.txt": "torch"}
    found = lint_files(tmp_path / "run", files, torch="2.13")
    told = [("AOTI226", "warning", "likely", "host.cpp", 7)] if codes else []
    assert [(one.code, one.severity, one.confidence, one.file, one.row) for one in found] == told
    found = lint_files(tmp_path / "other", files, ["build.py"], torch="2.13")
    assert [(one.code, one.file) for one in found] == [(code, "build.py") for code in codes]


SAVED = """import torch

program = torch.export.export(torch.nn.Linear(8, 4), (torch.ones(2, 8),))
torch.export.save(program, "program.pt2")
torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
torch.jit.save(torch.jit.script(torch.nn.Linear(8, 4)), "scripted.pt")
"""


@pytest.mark.parametrize(
    ("load", "codes"),
    [
        ('torch::jit::load("net.pt2");', ["AOTI616"]),
        ('torch::jit::load("build/program.pt2", torch::kCPU);', ["AOTI616"]),
        ('torch::inductor::AOTIModelPackageLoader loader("program.pt2");', ["AOTI616"]),
        (
            'const std::string where = "program.pt2";\n  torch::inductor::AOTIModelPackageLoader loader(where);',
            ["AOTI616"],
        ),
        ('torch::inductor::AOTIModelPackageLoader loader("net.pt2");', []),
        ('torch::jit::load("scripted.pt");', []),
        ('torch::jit::load("other.pt2");', []),
        ("torch::jit::load(argv[1]);", []),
        ('// torch::jit::load("net.pt2");', []),
    ],
)
def test_the_loader_of_another_kind(load: str, codes: list[str], tmp_path: Path) -> None:
    """Each of those that are told was run on torch 2.13: it throws."""
    host = f"#include <torch/script.h>\nint main(int argc, char** argv) {{\n  {load}\n}}\n"
    files = {"build.py": SAVED, "host.cpp": host, "requirements.txt": "torch"}
    for folder, named, file in (("all", None, "host.cpp"), ("one", ["build.py"], "build.py")):
        found = lint_files(tmp_path / folder, files, named, torch="2.13")
        assert [(one.code, one.confidence, one.file) for one in found] == [(code, "likely", file) for code in codes]
