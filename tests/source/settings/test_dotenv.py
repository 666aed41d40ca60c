"""`.env` files."""

from __future__ import annotations

import pytest

from aoti_lint.text.problem import SourceProblem
from tests.source.settings.reading import assignments, places, read


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("A=1", "1"), ("A=", ""), ("A = 1 ", "1"), ("export A=1", "1"), ("A='x # y' # z", "x # y"), ("A=x # y", "x"),
        ("A=x#y", "x#y"), ('A="x\\ny"', "x\ny"), ("A='x\\ny'", "x\\ny"), ('A="x\ny"', "x\ny"), ("A=x y", "x y"),
        ("A=a=b", "a=b"), ("A=${B}", None), ('A="$B"', None), ("A='$B'", "$B"), ("A=é", "é"), ("A=#x", "#x"),
    ],
)  # fmt: skip
def test_values(line: str, value: str | None) -> None:
    text = f"# B=1\n\n{line}\nC=2\n"
    found = assignments(".env", text)
    assert found == [("A", value, None), ("C", "2", None)]
    assert read(".env", text.replace("\n", "\r\n") if "\ny" not in text else text).assignments[-1].value == "2"


def test_places() -> None:
    text = "é=1\n"
    with pytest.raises(SourceProblem):
        read("prod.env", text)
    text = "# é\nexport A='é' # x\nB\nC=é\n"
    assert places(read(".env.local", text), text) == ["A='é'", "C=é"]


@pytest.mark.parametrize("line", ["1=2", "=1", "A B", "A='x' y'", "{", "A='"])
def test_a_line_of_another_kind_is_said(line: str) -> None:
    with pytest.raises(SourceProblem, match="no NAME=value") as caught:
        read(".env", f"B=1\n{line}\n")
    assert caught.value.offset == 4
