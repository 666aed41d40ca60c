"""AOTI212: a package is asked for a model that it does not hold, in Python by names from elsewhere, and in C++."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

BUILD = """import torch
from torch._inductor.package import package_aoti

x = torch.randn(8, 10)
program = torch.export.export(torch.nn.Linear(10, 2).eval(), (x,))
files = torch._inductor.aot_compile(program.module(), (x,), options={"aot_inductor.package": True})
package_aoti("models.pt2", {"encoder": files, "dec": files})
torch._inductor.aoti_compile_and_package(program, package_path="one.pt2")
"""
SERVE = """import argparse
import json
from dataclasses import dataclass
from torch._inductor.package import load_package
import names


@dataclass
class Config:
    name: str = "{name}"


parser = argparse.ArgumentParser()
parser.add_argument("--name", default="{name}")
args = parser.parse_args()
settings = {{"models": ["encoder", "{name}"]}}


"""
LOAD = "def load(name=names.DECODER):\n    return load_package('models.pt2', name)\n"


@pytest.mark.parametrize("name", ["decoder", "dec"])
@pytest.mark.parametrize(
    "line",
    [
        f"{LOAD}load()",
        "load_package('models.pt2', model_name=Config().name)",
        "load_package('models.pt2', model_name=args.name)",
        "runs = {name: load_package('models.pt2', name) for name in settings['models']}",
        "for name in names.ALL:\n    load_package('models.pt2', name)",
    ],
)
def test_names_from_elsewhere(line: str, name: str, tmp_path: Path) -> None:
    named = f"DECODER = '{name}'\nALL = ('encoder', DECODER)\n"
    files = {"build.py": BUILD, "names.py": named, "serve.py": SERVE.format(name=name) + line + "\n"}
    found = lint_files(tmp_path / "run", files, torch="2.13")
    assert [one.code for one in found] == (["AOTI212"] if name == "decoder" else [])


HEADER = """#include <torch/csrc/inductor/aoti_package/model_package_loader.h>
#include <filesystem>
#include <optional>

class Host {
 public:
  explicit Host(const std::string& folder);
  void open(const std::filesystem::path& folder);

 private:
  torch::inductor::AOTIModelPackageLoader loader_;
  std::optional<torch::inductor::AOTIModelPackageLoader> later_;
  std::unique_ptr<torch::inductor::AOTIModelPackageLoader> owned_;
};
"""
HOST = '#include "host.h"\nusing torch::inductor::AOTIModelPackageLoader;\nconst std::string kName = "%s";\n'
WRONG = [
    'Host::Host(const std::string& folder) : loader_(folder + "/models.pt2", "decoder") {}',
    'Host::Host(const std::string& folder) : loader_{folder + "/" + "models.pt2", "decoder"}, owned_(nullptr) {}',
    'Host::Host(const std::string& f) : owned_(nullptr), loader_((std::filesystem::path(f) / "models.pt2").c_str()) {}',
    'void Host::open(const std::filesystem::path& f) { later_.emplace((f / "models.pt2").string(), "decoder"); }',
    'void Host::open(const std::filesystem::path& f) { const auto path = f / "models.pt2";\n'
    'owned_ = std::make_unique<AOTIModelPackageLoader>(path.string(), "decoder"); }',
    'void Host::open(const std::filesystem::path& f) { owned_.reset(new AOTIModelPackageLoader("models.pt2", "x")); }',
    'int main() { AOTIModelPackageLoader loader("one.pt2", "decoder"); }',
    'int main() { AOTIModelPackageLoader loader("models.pt2"); }',
    'int main() { AOTIModelPackageLoader loader("models.pt2", kName); }',
]
RIGHT = [
    'Host::Host(const std::string& folder) : loader_(folder + "/models.pt2", "dec") {}',
    'Host::Host(const std::string& folder) : loader_(folder + "models.pt2", "decoder") {}',
    'Host::Host(const std::string& folder) : loader_(folder + "/models.pt2", folder) {}',
    'Host::Host(const std::string& folder) : loader_(folder + "/others.pt2", "decoder") {}',
    'Host::Host(const std::string& folder) : other_(folder + "/models.pt2", "decoder") {}',
    'int main() { AOTIModelPackageLoader loader("one.pt2"); AOTIModelPackageLoader two("one.pt2", "model"); }',
    'int main(int c, char** v) { std::string name = "decoder"; if (c > 1) name = v[1];\n'
    'AOTIModelPackageLoader loader("models.pt2", name); }',
    'std::string name = "decoder";\n'
    'void f(const std::string& name) { AOTIModelPackageLoader loader("models.pt2", name); }',
]  # fmt: skip


@pytest.mark.parametrize(("body", "wrong"), [*((one, True) for one in WRONG), *((one, False) for one in RIGHT)])
def test_in_cpp(body: str, wrong: bool, tmp_path: Path) -> None:
    files = {"build.py": BUILD, "host.h": HEADER, "host.cpp": HOST % "decoder" + body + "\n"}
    found = lint_files(tmp_path / "run", files, torch="2.13")
    assert [(one.file.rpartition("/")[2], one.code) for one in found] == ([("host.cpp", "AOTI212")] if wrong else [])


def test_a_constant_with_the_right_name(tmp_path: Path) -> None:
    body = 'int main() { AOTIModelPackageLoader loader("models.pt2", kName); }\n'
    files = {"build.py": BUILD, "host.h": HEADER, "host.cpp": HOST % "dec" + body}
    assert lint_files(tmp_path / "run", files, torch="2.13") == []


def test_a_member_of_another_class(tmp_path: Path) -> None:
    """What is no loader in the files that it includes is not taken for one."""
    text = 'class Other { Data loader_; Other(std::string f) : loader_(f + "/models.pt2", "decoder") {} };\n'
    files = {"build.py": BUILD, "host.h": HEADER, "other.cpp": text}
    assert lint_files(tmp_path / "run", files, torch="2.13") == []


def test_others_may_write_it(tmp_path: Path) -> None:
    more = "import sys\nfrom torch._inductor.package import package_aoti\npackage_aoti(sys.argv[1], {'decoder': []})\n"
    host = HOST % "decoder" + 'int main() { AOTIModelPackageLoader loader("models.pt2", "decoder"); }\n'
    files = {"build.py": BUILD, "more.py": more, "host.h": HEADER, "host.cpp": host}
    assert lint_files(tmp_path / "run", files, torch="2.13") == []
