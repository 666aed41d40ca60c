"""Dockerfiles: `ENV`, `ARG`, and what is started with them."""

from __future__ import annotations

import pytest

from aoti_lint.text.problem import SourceProblem
from tests.source.settings.reading import assignments, places, read, starts


def docker(text: str) -> list[tuple[str, dict[str, str | None]]]:
    return starts("Dockerfile", text)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("ENV A=1", {"A": "1"}),
        ("env A=1 B=2", {"A": "1", "B": "2"}),
        ("ENV A the rest of it", {"A": "the rest of it"}),
        ("ENV A=\"x y\" B=x\\ y C='$A'", {"A": "x y", "B": "x y", "C": "$A"}),
        ("ENV A=1 \\\n    # a comment\n\n    B=é", {"A": "1", "B": "é"}),
        ("ENV A=1\nENV B=$A C=${A}2 D=\\$A", {"A": "1", "B": "1", "C": "12", "D": "$A"}),
        ("ENV A=$UNKNOWN B=${X:-1}", {"A": None, "B": None}),
        ("ARG X=1\nENV A=$X", {"A": None}),
        ("ENV A=1\nENV A=2", {"A": "2"}),
        ("ENV A=1\nARG A=2", {"A": "1"}),
    ],
)
def test_variables_of_an_image(line: str, expected: dict[str, str | None]) -> None:
    assert docker(f'FROM x\n{line}\nCMD ["python", "serve.py"]\n') == [("serve.py", expected)]


def test_places() -> None:
    text = "FROM x\nENV É=1 A=é \\\n  B='2' # 3\nENV C the rest  \nARG D=4\n"
    assert places(read("Dockerfile", text), text) == ["A=é", "B='2'", "C the rest", "D=4"]


def test_another_escape_character() -> None:
    text = "# escape=`\nFROM x\nENV A=c:\\x `\n  B=2\nCMD python serve.py\n"
    assert docker(text) == [("serve.py", {"A": "c:\\x", "B": "2"})]


@pytest.mark.parametrize(
    ("run", "script"),
    [
        ('CMD ["python", "serve.py"]', "serve.py"),
        ("CMD python serve.py", "serve.py"),
        ('CMD ["sh", "-c", "python serve.py"]', "serve.py"),
        ('ENTRYPOINT ["python"]\nCMD ["serve.py"]', "serve.py"),
        ('ENTRYPOINT ["python", "serve.py"]\nCMD ["--port", "1"]', "serve.py"),
        ('ENTRYPOINT exec python serve.py\nCMD ["x"]', "serve.py"),
        ("WORKDIR /app\nWORKDIR src\nCMD python serve.py", "/app/src/serve.py"),
        ("RUN --mount=type=cache,target=/x pip install y && \\\n  python serve.py", "serve.py"),
        ('RUN ["python", "serve.py"]', "serve.py"),
        ("CMD python other.py\nCMD python serve.py", "serve.py"),
        ('CMD ["python", "-m", "pkg"]', "-m pkg"),
    ],
)
def test_what_is_started(run: str, script: str) -> None:
    assert docker(f"FROM x\nENV A=1\n{run}\n") == [(script, {"A": "1"})]


def test_run_keeps_what_it_exports() -> None:
    text = "FROM x\nRUN export A=1 && B=2 python build.py\nCMD python serve.py\n"
    assert docker(text) == [("build.py", {"A": "1", "B": "2"}), ("serve.py", {})]


def test_arguments_are_defaults_for_run_alone() -> None:
    text = "FROM x\nARG A=1\nRUN python build.py\nCMD python serve.py\n"
    assert docker(text) == [("build.py", {}), ("serve.py", {})]
    assert [(made.name, made.command, made.conditional) for made in read("Dockerfile", text).assignments] == [
        ("A", "build.py", True)
    ]


def test_stages_begin_anew_or_where_another_ended() -> None:
    text = (
        "FROM x AS base\nENV A=1\nFROM y\nENV B=1\nCMD python b.py\n"
        "FROM --platform=linux/amd64 base as last\nENV C=1\nCMD python c.py\n"
    )
    assert docker(text) == [("b.py", {"B": "1"}), ("c.py", {"A": "1", "C": "1"})]


def test_heredocs_and_comments_do_not_count() -> None:
    text = "FROM x\n# ENV A=1\nRUN <<EOF\nENV B=1\nexport C=1\nEOF\nCOPY <<-'E' /x\n\tENV D=1\n\tE\nENV F=1\n"
    assert assignments("Containerfile.dev", text) == [("F", "1", None)]


def test_shell_that_is_not_understood_is_passed_by() -> None:
    assert assignments("x.dockerfile", "FROM x\nRUN if ( {\nENV A=1\n") == [("A", "1", None)]


def test_a_line_that_is_no_instruction_is_said() -> None:
    with pytest.raises(SourceProblem, match="no instruction") as caught:
        read("Dockerfile", "FROM x\nexport A=1\n")
    assert caught.value.offset == 7


def test_another_shell_is_left_alone() -> None:
    text = 'FROM x\nSHELL ["powershell", "-Command"]\nRUN $A=1; python x.py\nENV A=1\nCMD ["python", "y.py"]\n'
    assert docker(text) == [("y.py", {"A": "1"})]
    assert not read("Dockerfile", text).gaps
