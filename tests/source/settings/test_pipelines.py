"""Workflows of GitHub, pipelines of GitLab, compose files."""

from __future__ import annotations

import pytest

from aoti_lint.text.problem import SourceProblem
from tests.source.settings.reading import assignments, places, read, starts

WORKFLOW = """\
on: push
env:
  TOP: 1
  SECRET: ${{ secrets.x }}
jobs:
  a:
    env: {JOB: "yes", TOP: 2}
    steps:
      - uses: actions/checkout@v4
      - name: é
        env:
          STEP:
        run: |
          export LOCAL='é'

          DEVICE=${{ matrix.d }} python x.py --y ${{ matrix.d }}
      - run: python y.py
        working-directory: src
  b:
    container: {image: x, env: {BOX: 1}}
    defaults: {run: {shell: pwsh}}
    steps:
      - run: python z.py
      - run: python w.py
        shell: bash -e {0}
"""


def test_a_workflow() -> None:
    around: dict[str, str | None] = {"TOP": "2", "SECRET": None, "JOB": "yes"}
    assert starts(".github/workflows/ci.yml", WORKFLOW) == [
        ("x.py", {**around, "STEP": "", "LOCAL": "é", "DEVICE": None}),
        ("src/y.py", around),
        ("w.py", {"TOP": "1", "SECRET": None, "BOX": "1"}),
    ]
    shown = places(read("ci.yml", WORKFLOW), WORKFLOW)
    assert {'JOB: "yes"', "TOP: 2", "STEP:", "LOCAL='é'", "DEVICE=${{ matrix.d }}", "BOX: 1"} <= set(shown)


@pytest.mark.parametrize(
    ("block", "place"),
    [
        ("|\n          A=1 python x.py", "A=1"),
        ("|2-\n            A=1 python x.py", "A=1"),
        ("A=1 python x.py", "A=1"),
        ("'A=1 python x.py'", "A=1"),
        ('"A=1 python x.py"', "A=1"),
        ("|\n          # é\n          A=1 \\\n            python x.py", "A=1"),
        (">\n          A=1\n          python x.py", ">\n          A=1\n          python x.py"),
        ('"A=\\x31 python x.py"', '"A=\\x31 python x.py"'),
    ],
)
def test_places_in_blocks(block: str, place: str) -> None:
    text = f"jobs:\n  é:\n    steps:\n      - run: {block}\n"
    found = read("ci.yml", text)
    assert [(start.command, {n: v.value for n, v in start.variables.items()}) for start in found.starts] == [
        ("x.py", {"A": "1"})
    ]
    assert places(found, text) == [place]


def test_an_action() -> None:
    text = "name: x\nruns:\n  using: composite\n  steps:\n    - shell: bash\n      run: A=1 python x.py\n"
    assert starts("action.yaml", text) == [("x.py", {"A": "1"})]


def test_a_pipeline_of_gitlab() -> None:
    text = """\
variables:
  G: "1"
  H: {value: "2", description: x}
before_script:
  - export FIRST=1
.base: &base
  variables: {BASE: x, G: "3"}
test:
  extends: .base
  script:
    - !reference [.base, script]
    - export K=1
    - [A=1 python x.py, "if [ x ]; then export M=1; fi"]
    - python y.py
  after_script: [python z.py]
other:
  <<: *base
  before_script: []
  variables: {O: $G}
  script: python w.py
"""
    around: dict[str, str | None] = {"G": "3", "H": "2", "BASE": "x"}
    assert starts(".gitlab-ci.yml", text) == [
        ("x.py", {**around, "FIRST": "1", "K": "1", "A": "1"}),
        ("y.py", {**around, "FIRST": "1", "K": "1"}),
        ("z.py", around),
        ("w.py", {"G": "1", "H": "2", "O": None}),
    ]


def test_a_compose_file() -> None:
    text = """\
x-common: &common {A: "1", B: b}
services:
  one:
    environment: {<<: *common, B: $$x, C: $HOME, D: }
    command: python serve.py --port 1
  two:
    environment:
      - DEVICE=cuda
      - PASSED
    entrypoint: [sh, -c, "B=2 python two.py"]
  three:
    working_dir: /app
    entrypoint: python
    command: [three.py]
"""
    assert starts("compose.yaml", text) == [
        ("serve.py", {"A": "1", "B": "$x", "C": None}),
        ("two.py", {"DEVICE": "cuda", "B": "2"}),
        ("/app/three.py", {}),
    ]


@pytest.mark.parametrize(
    "text", ["jobs: {a: 1, b: [2]}\n", "jobs:\n", "services: [x]\n", "variables: x\n", "runs: {}\n"]
)
def test_other_shapes_say_nothing(text: str) -> None:
    assert assignments("x.yml", text) == []


def test_aliases_of_aliases_end() -> None:
    lists = "a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 9))
    assert assignments("x.yml", f"{lists}jobs: {{j: {{steps: *a8}}}}\n") == []
    assert assignments("x.yml", "jobs: &j {a: *j, steps: &s [*s, {run: A=1 python x.py}]}\n") == []
    maps = "a0: &a0 {A: x}\n" + "".join(f"a{i}: &a{i} {{<<: [{', '.join([f'*a{i - 1}'] * 9)}]}}\n" for i in range(1, 9))
    read("x.yml", f"{maps}jobs: {{j: {{env: *a8}}}}\n")


@pytest.mark.parametrize(
    "text", ["jobs: [\n", "jobs:\n\tx: 1\n", "jobs: {a: *x}\n", "jobs:\n  a: 'x\n", "jobs: \x01\n"]
)
def test_what_is_no_yaml_is_said(text: str) -> None:
    with pytest.raises(SourceProblem, match="no valid YAML"):
        read("ci.yml", text)


def test_what_is_too_much_is_said() -> None:
    with pytest.raises(SourceProblem, match="nested too deeply"):
        read("ci.yml", "jobs: " + "[" * 5000 + "]" * 5000)
    with pytest.raises(SourceProblem, match="a pipeline of more than 512 KiB is not read"):
        read("ci.yml", "jobs:\n" + "# x\n" * 200_000)
