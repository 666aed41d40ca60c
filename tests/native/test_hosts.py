"""C++ programs that load packages."""

from __future__ import annotations

import pytest

from aoti_lint.native.hosts import is_program, loads, may_load_more


@pytest.mark.parametrize(
    ("code", "files"),
    [
        ('torch::inductor::AOTIModelPackageLoader loader("out/net.pt2");', ["out/net.pt2"]),
        ('auto loader = torch::inductor::AOTIModelPackageLoader("net.pt2", "model");', ["net.pt2"]),
        ('AOTIModelPackageLoader loader{std::string("net.pt2")};', ["net.pt2"]),
        ('auto p = std::make_unique<torch::inductor::AOTIModelPackageLoader>("net.pt2");', ["net.pt2"]),
        ('const char* file = "net.pt2";\nAOTIModelPackageLoader loader(file);', ["net.pt2"]),
        ('#define FILE_ "net.pt2"\nAOTIModelPackageLoader loader(FILE_);', ["net.pt2"]),
        # A path that is not known, a type, and a comment.
        ("AOTIModelPackageLoader loader(argv[1]);", []),
        ("std::unique_ptr<AOTIModelPackageLoader> loader;", []),
        ('// AOTIModelPackageLoader loader("net.pt2");', []),
    ],
)
def test_loads(code: str, files: list[str]) -> None:
    assert [one.file for one in loads(code.encode(), "a.cpp") if one.file] == files


@pytest.mark.parametrize(
    ("code", "devices"),
    [
        ('torch::inductor::AOTIModelContainerRunnerCpu runner("net.so");', [("cpu", None)]),
        ('auto r = std::make_unique<torch::inductor::AOTIModelContainerRunnerCuda>("net.so", 1);', [("cuda", None)]),
        ('AOTIModelContainerRunnerCpu runner("a.so"); AOTIModelContainerRunnerCuda two("b.so");', ["cpu", "cuda"]),
        ('if (gpu) { AOTIModelContainerRunnerCuda r("a.so"); } else { AOTIModelContainerRunnerCpu r("a.so"); }', []),
        ('#ifdef USE_CUDA\nAOTIModelContainerRunnerCuda r("a.so");\n#endif\n', []),
        ('AOTIModelPackageLoader loader("net.pt2", "model", false, 1, 1);', [("", 1)]),
        ('AOTIModelPackageLoader loader("net.pt2", "model", false, 1, -1);', [("", None)]),
        ('AOTIModelPackageLoader loader("net.pt2", "model", false, 1, index);', [("", None)]),
    ],
)
def test_what_it_is_loaded_for(code: str, devices: list[str | tuple[str, int | None]]) -> None:
    found = [(one.device, one.index) for one in loads(code.encode(), "a.cpp") if one.file]
    assert found == [one if isinstance(one, tuple) else (one, None) for one in devices]


def test_the_place() -> None:
    code = b'int main() { AOTIModelPackageLoader loader("net.pt2"); }'
    [load] = loads(code, "a.cpp")
    assert code[load.span.start : load.span.end] == b'AOTIModelPackageLoader loader("net.pt2")'
    assert is_program(code)
    assert not is_program(b"// int main() {}")


@pytest.mark.parametrize(
    "code", ['dlopen("libops.so", RTLD_NOW);', "#include <torch/extension.h>", "PYBIND11_MODULE(a, m) {}"]
)
def test_a_process_that_may_have_more(code: str) -> None:
    assert may_load_more(code.encode())
    assert not may_load_more(f"/* {code} */".encode())
