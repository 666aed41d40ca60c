"""Schemas of operators, and C++ that registers them, that nest, double and never close."""

from __future__ import annotations

import pytest

from aoti_lint.native.cmake import Build
from aoti_lint.native.lexical import Text
from aoti_lint.native.macros import defines
from aoti_lint.native.read import Natives
from aoti_lint.torch_api.schemas.parser import MAX_TEXT, parse
from aoti_lint.torch_api.schemas.schema import SchemaError
from tests.hostile.child import within_bounds


@pytest.mark.parametrize(
    "text",
    ["f(" + "(" * 15_000 + "Tensor x) -> Tensor", "f(" + "Dict(" * 3_000 + "Tensor x) -> Tensor",
     "f(Tensor x) -> " + "(" * 15_000, "f(" + "(" * 100_000, "f(Tensor" + "[]" * 100_000 + " x) -> Tensor"],
)  # fmt: skip
def test_a_schema_is_refused(text: str) -> None:
    with pytest.raises(SchemaError) as refused:
        parse(text)
    assert "nested" in str(refused.value) or f"{MAX_TEXT} characters" in str(refused.value)


LIBRARY = 'TORCH_LIBRARY(a, m) { m.def("f(Tensor x) -> Tensor"); }\n'


def registered(text: str) -> list[str]:
    natives = Natives(["a.cpp"], lambda _: text.encode())
    found = [type(one).__name__ for one in natives.registrations()]
    return [*found, *(f"{path} not followed" for path in natives.unfollowed)]


@pytest.mark.parametrize(
    "text",
    [
        "TORCH_LIBRARY(" * 20_000,
        "TORCH_LIBRARY(a, m) { " + "m.def(" * 20_000 + "}",
        "TORCH_LIBRARY(a, m) { m.def(" + "TORCH_SELECTIVE_SCHEMA(" * 20_000 + '"f"' + ")" * 20_000 + "); }",
        "TORCH_LIBRARY(a, m) { m.def(" + '"a" + ' * 20_000 + '"f(Tensor x) -> Tensor"); }',
        "TORCH_LIBRARY(a, m) { m.impl(" + '"f", &' + "a::" * 20_000 + "f); }",
        "".join(f'std::string A{n} = A{n - 1} + A{n - 1} + "xxxx";\n' for n in range(1, 50)).replace("A0 ", '"x" ')
        + "TORCH_LIBRARY(a, m) { m.def(A49); }",
        "#define A " + '"a" A ' * 1_000 + "\nTORCH_LIBRARY(a, m) { m.def(A); }",
        "#define A x" + " " * 200_000 + "y\nTORCH_LIBRARY(a, m) { m.def(A); }",
        '#define A "' + '\\"' * 100_000 + "\nTORCH_LIBRARY(a, m) { m.def(A); }",
        "".join(f'R"a{n}(' for n in range(20_000)) + LIBRARY,
        'const char* a = "' + '\\"' * 100_000 + "\n" + LIBRARY,
        "char *a" + " " * 200_000 + "\n" + LIBRARY,
        'TORCH_LIBRARY(a, m) { m.impl("f", &f); }\n' + "f<" * 100_000,
        'TORCH_LIBRARY(a, m) { m.impl("f", &f); }\n' + "f() -> " * 20_000,
        'TORCH_LIBRARY(a, m) { m.impl("f", &f); }\n' + "f(){\n" * 20_000,
        "#if A\n#endif\n" * 20_000 + "TORCH_LIBRARY(a, m) { " + 'm.def("f(Tensor x) -> Tensor");\n' * 2_000 + "}",
        "TORCH_LIBRARY(a, m) { " + "g(m); " * 50 + "}\n" + "void g(torch::Library& m) { " + "g(m); " * 50 + "}\n",
    ],
    ids=["unclosed blocks", "unclosed calls", "wrappers", "sums", "scopes", "doubled constants", "doubled macros",
         "blanks in a macro", "quotes in a macro", "raw strings", "quotes", "blanks", "template", "results", "bodies",
         "arms", "functions"],
)  # fmt: skip
def test_registrations_end(text: str) -> None:
    assert len(within_bounds(lambda: registered(text))) < 1_000_000


def test_what_is_not_followed_is_said() -> None:
    assert "a.cpp not followed" in registered("TORCH_LIBRARY(" * 20_000)


def test_literals_are_as_before() -> None:
    text = Text(b'"a" R"x(1)")x" /* c */ \'{\' // d\n#error don\'t {\n"open {\n{ "')
    assert text.masked.splitlines()[1:] == [b"#error don't {", b'"      ', b'{ "']
    assert text.masked.startswith(b'" " R')
    assert b"{" not in text.masked.splitlines()[0]
    assert len(text.masked) == len(text.code) == len(text.data)
    assert [one.body for one in defines(Text(b'#define A "a" ## b\n'))] == [b'"a" ## b']


def test_variables_of_cmake() -> None:
    text = "set(A aaaaaaaaaa)\n" + "set(A ${A}${A})\n" * 60 + "set(B x ${B} ${B})\n" * 60 + "add_library(c ${A} ${B})\n"

    def work() -> int:
        build = Build(["CMakeLists.txt"], lambda _: text)
        return len(build.targets["c"].sources)

    assert int(within_bounds(work)) < 200_000


@pytest.mark.parametrize("text", ["#[[\n" * 50_000, "set(A " + "${a" * 100_000, 'set(A "' + '\\"' * 100_000])
def test_unclosed_cmake(text: str) -> None:
    assert within_bounds(lambda: len(Build(["CMakeLists.txt"], lambda _: text).targets)) == "0"
