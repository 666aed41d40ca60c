"""Where suppression comments are put, in every language that may have them."""

from __future__ import annotations

import pytest

from aoti_lint.findings.ignoring import NoPlace, with_comments
from aoti_lint.source.text import read_source
from aoti_lint.text.problem import SourceProblem

MARK = "aoti-lint: ignore[X1]"


def put(name: str, text: str, row: int, *codes: str, reason: str = "") -> str:
    return with_comments(read_source(text.encode(), name), {row: codes or ("X1",)}, reason)


@pytest.mark.parametrize(
    ("before", "row", "after"),
    [
        ("f()\n", 1, f"f()  # {MARK}\n"),
        ("f()", 1, f"f()  # {MARK}"),
        ("f(\n  1,\n)\ng()\n", 2, f"f(\n  1,\n)  # {MARK}\ng()\n"),
        ("x = '''\n# a\n'''\n", 1, f"x = '''\n# a\n'''  # {MARK}\n"),
        ("x = 1 + \\\n    2\n", 1, f"x = 1 + \\\n    2  # {MARK}\n"),
        ("f()  # why\n", 1, f"f()  # why  # {MARK}\n"),
        ("f()  # type: ignore\n", 1, f"f()  # type: ignore  # {MARK}\n"),
        ("f()  # noqa: E501\n", 1, f"f()  # noqa: E501  # {MARK}\n"),
        ("@d\ndef f(\n  a,\n): pass\n", 1, f"@d\ndef f(\n  a,\n): pass  # {MARK}\n"),
        ("with f():\n    g()\n", 1, f"with f():  # {MARK}\n    g()\n"),
        ("a(); b()\n", 1, f"a(); b()  # {MARK}\n"),
        ("f()  # aoti-lint: ignore[Y2]  so it is\n", 1, "f()  # aoti-lint: ignore[Y2, X1]  so it is\n"),
        ("f(  # aoti-lint: ignore[Y2]\n)\n", 2, "f(  # aoti-lint: ignore[Y2, X1]\n)\n"),
        # A list of the whole file is another matter, and so is one that names nothing.
        ("f()  # aoti-lint: ignore-file[Y2]\n", 1, f"f()  # aoti-lint: ignore-file[Y2]  # {MARK}\n"),
        ("f()  # aoti-lint: ignore[]\n", 1, f"f()  # aoti-lint: ignore[]  # {MARK}\n"),
        ("x = '# aoti-lint: ignore[Y2]'\n", 1, f"x = '# aoti-lint: ignore[Y2]'  # {MARK}\n"),
        ("é = f('\u2028')\r\ng()\r\n", 1, f"é = f('\u2028')  # {MARK}\r\ng()\r\n"),
        ("f()\rg()\r", 2, f"f()\rg()  # {MARK}\r"),
    ],
)
def test_python(before: str, row: int, after: str) -> None:
    assert put("a.py", before, row) == after


def test_rules_of_one_statement_share_a_comment() -> None:
    source = read_source(b"f(\n)\ng()\n", "a.py")
    wanted = {1: ["X2"], 2: ["X1", "X2"], 3: ["X3"]}
    assert with_comments(source, wanted, "for now") == (
        "f(\n)  # aoti-lint: ignore[X1, X2] for now\ng()  # aoti-lint: ignore[X3] for now\n"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f()  # aoti-lint: ignore[Y2]", "f()  # aoti-lint: ignore[Y2, X1] see #12"),
        ("f()  # aoti-lint: ignore[Y2] so  ", "f()  # aoti-lint: ignore[Y2, X1] so; see #12  "),
        ("f()  # aoti-lint: ignore[Y2] so  # noqa: E501", "f()  # aoti-lint: ignore[Y2, X1] so; see #12  # noqa: E501"),
        ("f()  # aoti-lint: ignore[Y2]  # noqa", "f()  # aoti-lint: ignore[Y2, X1] see #12  # noqa"),
        ("f()  # aoti-lint: ignore[Y2]# noqa", "f()  # aoti-lint: ignore[Y2, X1] see #12# noqa"),
        ("f()  # aoti-lint: ignore[Y2] https://x.y", "f()  # aoti-lint: ignore[Y2, X1] https://x.y; see #12"),
        ("f()  # aoti-lint: ignore[Y2] known, see #12", "f()  # aoti-lint: ignore[Y2, X1] known, see #12"),
    ],
)
def test_a_comment_that_is_there_gets_the_reason_once(before: str, after: str) -> None:
    assert put("a.py", before, 1, reason="see #12") == after


def test_what_cannot_be_read_to_its_end_is_left() -> None:
    with pytest.raises(SourceProblem, match="cannot read it to its end"):
        put("a.py", "f()\nx = (\n", 1)


@pytest.mark.parametrize(
    ("name", "before", "row", "after"),
    [
        ("a.sh", "export A=1\n", 1, f"export A=1  # {MARK}\n"),
        ("a.sh", "export A=1 # why\n", 1, f"export A=1 # why  # {MARK}\n"),
        ("a.sh", "  export A=1 \\\n B=2\n", 1, f"  # {MARK}\n  export A=1 \\\n B=2\n"),
        ("a.sh", "export A=1 \\\n B=2\n", 2, f"export A=1 \\\n B=2  # {MARK}\n"),
        ("a.sh", "export A='1\n2'\n", 1, f"# {MARK}\nexport A='1\n2'\n"),
        ("a.sh", "# aoti-lint: ignore[Y2]\nexport A=1\n", 2, "# aoti-lint: ignore[Y2, X1]\nexport A=1\n"),
        (
            "a.sh",
            "export B=1  # aoti-lint: ignore[Y2]\nA=1\n",
            2,
            f"export B=1  # aoti-lint: ignore[Y2]\nA=1  # {MARK}\n",
        ),
        ("Dockerfile", "FROM a\n  ENV A=1\n", 2, f"FROM a\n  # {MARK}\n  ENV A=1\n"),
        ("Dockerfile", "ENV A=1 \\\n    B=2\n", 2, f"ENV A=1 \\\n    # {MARK}\n    B=2\n"),
        (".env", "A=1\n", 1, f"# {MARK}\nA=1\n"),
        ("a.yml", "jobs:\n  a:\n    env:\n      A: '1'\n", 4, f"jobs:\n  a:\n    env:\n      A: '1'  # {MARK}\n"),
        ("a.yml", "jobs:\n  run: |\n    A=1 p\n    b\n", 3, f"jobs:\n  run: |\n    A=1 p  # {MARK}\n    b\n"),
        ("a.yml", "jobs:\n  run: |-\n    A=1 p", 3, f"jobs:\n  run: |-\n    A=1 p  # {MARK}"),
        ("a.cpp", "f();\n", 1, f"f();  // {MARK}\n"),
        ("a.cpp", "f(); // why\n", 1, f"f(); // why  // {MARK}\n"),
        ("a.cu", "  f(1, \\\n 2);\n", 1, f"  // {MARK}\n  f(1, \\\n 2);\n"),
        ("a.cpp", "f();  // aoti-lint: ignore[Y2]\n", 1, "f();  // aoti-lint: ignore[Y2, X1]\n"),
        ("a.cpp", 'f(R"(\n", b)");\n', 1, f'// {MARK}\nf(R"(\n", b)");\n'),
    ],
)
def test_other_languages(name: str, before: str, row: int, after: str) -> None:
    assert put(name, before, row) == after


@pytest.mark.parametrize(
    ("name", "text", "row"),
    [
        ("a.sh", "cat <<END\nexport A=1\nEND\n", 2),
        ("a.sh", "a b \\\n  c \\\n  d\n", 2),
        ("a.sh", "x='\nexport A=1\n'\n", 2),
        ("a.yml", "jobs:\n  run: >\n    A=1 p\n    b\n", 3),
        ("a.yml", "jobs:\n  run: |\n    cat <<END\n    A=1\n    END\n", 4),
        ("a.cpp", "#define A \\\n  f() \\\n  g()\n", 2),
        ("a.cpp", 'f(R"(\n  a\n)");\n', 2),
    ],
)
def test_where_a_comment_would_be_something_else(name: str, text: str, row: int) -> None:
    with pytest.raises(NoPlace) as caught:
        put(name, text, row)
    assert caught.value.row == row
