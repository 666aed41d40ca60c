"""What CMake files say programs are built of."""

from __future__ import annotations

import pytest

from aoti_lint.native.cmake import Build, commands

HEAD = "project(shop)\nfind_package(Torch REQUIRED)\nadd_library(ops SHARED ops.cpp)\n"


def sources(text: str, **folders: str) -> tuple[str, ...] | None:
    """The sources of `host`; further folders have CMake files of their own."""
    files = {"CMakeLists.txt": HEAD + text, **{f"{name}/CMakeLists.txt": other for name, other in folders.items()}}
    return Build(["CMakeLists.txt"], files.get).sources("host")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("add_executable(host main.cpp)", ("main.cpp",)),
        ('add_executable(host "${CMAKE_CURRENT_SOURCE_DIR}/src/main.cpp" ./more.cpp)', ("src/main.cpp", "more.cpp")),
        ("set(SOURCES main.cpp more.cpp)\nadd_executable(host ${SOURCES})", ("main.cpp", "more.cpp")),
        ("set(S main.cpp)\nlist(APPEND S more.cpp)\nadd_executable(host ${S})", ("main.cpp", "more.cpp")),
        ("set(S main.cpp)\nif(A)\nset(S cuda.cpp)\nendif()\nadd_executable(host ${S})", ("main.cpp", "cuda.cpp")),
        ("add_executable(host main.cpp)\ntarget_sources(host PRIVATE more.cpp)", ("main.cpp", "more.cpp")),
        ("ADD_EXECUTABLE(host main.cpp # the host\n)\ntarget_link_libraries(host ops)", ("main.cpp", "ops.cpp")),
        (
            'add_executable(host main.cpp)\ntarget_link_libraries(host PRIVATE "${TORCH_LIBRARIES}" dl -pthread)\n'
            "set_property(TARGET host PROPERTY CXX_STANDARD 20)\ntarget_compile_options(host PRIVATE -Wall)",
            ("main.cpp",),
        ),
        # What may have more.
        ("file(GLOB S *.cpp)\nadd_executable(host ${S})", None),
        ("add_executable(host main.cpp)\ntarget_link_libraries(host elsewhere)", None),
        ("add_executable(host main.cpp)\nuse_our_ops(host)", None),
        ("our_executable(host main.cpp)", None),
        ("add_executable(host IMPORTED)", None),
    ],
)
def test_sources(text: str, expected: tuple[str, ...] | None) -> None:
    assert sources(text) == expected


def test_a_folder_that_is_added() -> None:
    text = "add_subdirectory(lib)\nadd_executable(host main.cpp)\ntarget_link_libraries(host more)"
    assert sources(text, lib="add_library(more STATIC more.cpp)") == ("main.cpp", "lib/more.cpp")
    assert sources(text) is None


def test_the_executable_of_a_source() -> None:
    text = "add_executable(host main.cpp)\nadd_executable(other other.cpp)\ntarget_link_libraries(host ops)"
    build = Build(["CMakeLists.txt"], {"CMakeLists.txt": HEAD + text}.get)
    assert build.executables("ops.cpp") == ["host"]
    assert build.executables("other.cpp") == ["other"]


def test_commands() -> None:
    text = 'a(b "c d" [[x]])  # e(f)\n#[[ g(h) ]]\nif (NOT (A AND B))\nendif()'
    assert [(name, args[:2]) for name, args in commands(text)] == [
        ("a", ["b", "c d"]),
        ("if", ["NOT", "A"]),
        ("endif", []),
    ]
