"""Shell scripts, Dockerfiles, pipelines and .env files whose values and starts multiply."""

from __future__ import annotations

import pytest

from aoti_lint.source.settings.read import read_settings
from aoti_lint.source.text import read_source
from aoti_lint.text.problem import SourceProblem
from tests.hostile.child import within_bounds

JOB = "jobs:\n  a:\n    runs-on: x\n"
LAUGHS = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 40))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.sh", "A=aaaaaaaaaa\n" + "A=$A$A\n" * 60 + "export A\npython a.py\n"),
        ("a.sh", "A=aaaaaaaaaa\n" + "A+=$A\n" * 60 + "export A\npython a.py\n"),
        ("a.sh", "A='a a a a'\n" + 'A="$A $A"\n' * 60 + "python $A $A $A\n"),
        ("a.sh", "env " + "A=1 " * 300_000 + "python a.py\n"),
        ("a.sh", "".join(f"export A{n}=1\n" for n in range(3_000)) + "python a.py\n" * 3_000),
        ("Dockerfile", "FROM x\nENV A=aaaaaaaaaa\n" + "ENV A=$A$A\n" * 60 + 'CMD ["python", "a.py"]\n'),
        ("Dockerfile", "FROM x\nCMD " + "[" * 100_000 + "\n"),
        ("Dockerfile", "FROM x\nCMD [" + "9" * 10_000 + "]\n"),
        ("a.yml", JOB + "    env:\n" + "".join(f"      A{n}: 1\n" for n in range(3_000)) + "    steps:\n"
         + "      - run: python a.py\n" * 1_500),
        ("a.yml", JOB + "a0: &a0 [x]\n" + LAUGHS + "    steps: *a39\n"),
        ("a.yml", JOB + "    steps:\n      - run: |\n          " + "${{a" * 50_000 + "\n"),
        (".env", "A='" + "\\'" * 500_000),
    ],
    ids=["doubled", "appended", "words", "env", "exports", "docker", "deep", "digits", "steps", "aliases", "open",
         "quote"],
)  # fmt: skip
def test_settings_end(name: str, text: str) -> None:
    def work() -> int:
        try:
            return len(read_settings(read_source(text.encode(), name)).assignments)
        except SourceProblem:
            return 0

    assert int(within_bounds(work)) < 200_000


def test_too_many_variables_are_said() -> None:
    text = "".join(f"export A{n}=1\n" for n in range(2_000)) + "python a.py\n" * 100
    with pytest.raises(SourceProblem, match="more than 100000 variables"):
        read_settings(read_source(text.encode(), "a.sh"))
