"""What is said of files of settings that a script reads and that hold nothing that could be read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Result

Lint = Callable[..., Result]
SCRIPT = """import json
import torch
{before}
with open("config.json") as file:
    config = json.load(file)
program = torch.export.export(torch.nn.Linear(8, 8), (torch.randn(config["batch"], 8),))
program.module()(torch.randn(5, 8))
"""
READS = {
    "conf.yaml": "import yaml\nmade = yaml.safe_load(open('conf.yaml'))",
    "conf.toml": "import tomli\nmade = tomli.loads(open('conf.toml').read())",
    "conf.json": "import json\nmade = json.loads(open('conf.json').read())",
}
EXPORT = "import torch\ntorch.export.export(torch.nn.Linear(8, 8), (torch.randn(2, 8),))\n"


def notes(lint: Lint, *words: str) -> list[str]:
    found: list[str] = json.loads(lint(*words, "--output-format", "json").out)["summary"]["notes"]
    return found


def codes(lint: Lint) -> list[str]:
    return [one["code"] for one in json.loads(lint(".", "--output-format", "json").out)["diagnostics"]]


def test_a_file_that_is_not_there_is_told_until_it_is(project: Path, lint: Lint) -> None:
    (project / "export.py").write_text(SCRIPT.format(before=""), encoding="utf-8")
    missing = "config.json is neither beside the script nor in the root of the project"
    for _ in range(2):
        assert notes(lint, ".") == [f"export.py:5: {missing}: what is taken from it is not known"]
    (project / "config.json").write_text('{"batch": 4}', encoding="utf-8")
    assert notes(lint, ".") == []
    assert codes(lint) == ["AOTI301"]
    (project / "export.py").write_text(SCRIPT.format(before="\n\n"), encoding="utf-8")
    (project / "config.json").write_text('{"batch": 4', encoding="utf-8")
    (told,) = notes(lint, ".")
    assert told.startswith("export.py:7: config.json cannot be parsed (Expecting ',' delimiter: line 1 column 12")
    assert codes(lint) == []


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("conf.json", '{"a": 1,\n b}', "line 2 column 2"),
        ("conf.json", "", "line 1 column 1"),
        ("conf.yaml", "a: [4\nb: 3\n", "line 2 column 2"),
        ("conf.toml", "a = 4\nb = \n", "line 2, column 5"),
        ("conf.toml", "", None),
        ("conf.yaml", "", None),
    ],
)
def test_the_parser_says_where(name: str, text: str, said: str | None, project: Path, lint: Lint) -> None:
    if name.endswith(".toml"):
        pytest.importorskip("tomllib")
    (project / name).write_text(text, encoding="utf-8")
    (project / "export.py").write_text(f"{READS[name]}\n{EXPORT}", encoding="utf-8")
    told = notes(lint, ".")
    assert [note.startswith(f"export.py:2: {name} cannot be parsed (") for note in told] == [True] * (said is not None)
    assert said is None or said in told[0]


@pytest.mark.parametrize(
    "code",
    [
        "try:\n    made = json.load(open('a.json'))\nexcept FileNotFoundError:\n    made = {}",
        "if os.path.exists('a.json'):\n    made = json.load(open('a.json'))",
        "json.dump({}, open('a.json', 'w'))\nmade = json.load(open('a.json'))",
        "def write(to):\n    (to / 'a.json').write_text('{}')\nwrite(pathlib.Path())\nmade = json.load(open('a.json'))",
        "shutil.copy('b.json', 'a.json')\nmade = json.load(open('out/a.json'))",
        "made = json.load(open(os.environ['A']))",
        "made = json.load(open('/etc/a.json'))",
        "made = json.load(open('../a.json'))",
        "made = json.load(open(f'{torch.__version__}.json'))",
        "made = json.load(open('a.txt'))",
        "def test_it(tmp_path):\n    made = json.load(open(tmp_path / 'a.json'))",
        "made = json.loads('{')",
    ],
)
def test_what_the_script_expects_is_not_told(code: str, project: Path, lint: Lint) -> None:
    text = f"import json\nimport os\nimport pathlib\nimport shutil\n{EXPORT}{code}\n"
    (project / "export.py").write_text(text, encoding="utf-8")
    assert notes(lint, ".") == []


BROKEN = {"conf.json": '{"a": 1,', "conf.yaml": "a: [4\n", "conf.toml": "a = \n"}


@pytest.mark.parametrize("name", BROKEN)
def test_a_named_file_that_a_script_cannot_read_is_an_error(name: str, project: Path, lint: Lint) -> None:
    if name.endswith(".toml"):
        pytest.importorskip("tomllib")
    (project / name).write_text(BROKEN[name], encoding="utf-8")
    (project / "export.py").write_text(f"{READS[name]}\n{EXPORT}", encoding="utf-8")
    done = lint(name)
    assert done.code == 2
    assert f"error[AOTI002]: {name}: cannot be parsed (" in done.out
    (problem,) = json.loads(lint(name, "--output-format", "json").out)["errors"]
    assert problem["message"].startswith("cannot be parsed (")
    assert lint("export.py").code == 0, "there it is a note: the script itself was read"
    (project / name).write_text("{}" if name == "conf.json" else "", encoding="utf-8")
    assert lint(name).code == 0


def test_a_file_that_the_script_expects_to_be_broken_is_no_error(project: Path, lint: Lint) -> None:
    (project / "conf.json").write_text("{", encoding="utf-8")
    read = "import json\ntry:\n    made = json.load(open('conf.json'))\nexcept ValueError:\n    made = {}\n"
    (project / "export.py").write_text(f"{read}{EXPORT}", encoding="utf-8")
    assert lint("conf.json").code == 0
    assert notes(lint, "conf.json") == [
        "conf.json cannot be parsed (Expecting property name enclosed in double quotes: line 1 column 2 (char 1))"
    ]


def test_a_file_is_parsed_where_what_reads_it_is_not_followed(project: Path, lint: Lint) -> None:
    read = "from omegaconf import OmegaConf\nmade = OmegaConf.load('conf.yaml')\n"
    (project / "export.py").write_text(f"{read}{EXPORT}", encoding="utf-8")
    for text, said in ((BROKEN["conf.yaml"], True), ("a: [4]\n", False)):
        (project / "conf.yaml").write_text(text, encoding="utf-8")
        assert ["conf.yaml cannot be parsed" in note for note in notes(lint, "conf.yaml")] == [True] * said


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_with_a_file_that_no_script_reads_is_said_where_it_is_skipped(
    name: str, project: Path, lint: Lint
) -> None:
    if name.endswith(".toml"):
        pytest.importorskip("tomllib")
    (project / "export.py").write_text(EXPORT, encoding="utf-8")
    (project / name).write_text(BROKEN[name], encoding="utf-8")
    done = lint(name, "--output-format", "json")
    (skipped,) = json.loads(done.out)["skipped"]
    assert (done.code, skipped["filename"]) == (0, name)
    assert "; it cannot be parsed (" in skipped["reason"]


@pytest.mark.parametrize("text", ["a: !include b.yaml\n", "a: 1\n---\nb: 2\n", "a: 1\n"])
def test_yaml_of_another_kind_is_not_called_broken(text: str, project: Path, lint: Lint) -> None:
    (project / "export.py").write_text(EXPORT, encoding="utf-8")
    (project / "conf.yaml").write_text(text, encoding="utf-8")
    assert "parsed" not in lint("conf.yaml").out


def test_each_reader_of_a_file_is_told(project: Path, lint: Lint) -> None:
    (project / "conf.json").write_text("{", encoding="utf-8")
    for name in ("one.py", "two.py"):
        (project / name).write_text(f"{READS['conf.json']}\n{EXPORT}", encoding="utf-8")
    (project / "load.py").write_text(
        "import json\ndef load(path):\n    return json.load(open(path))\n", encoding="utf-8"
    )
    for name in ("three.py", "four.py"):
        (project / name).write_text(f"from load import load\nload('conf.json')\n{EXPORT}", encoding="utf-8")
    assert [note.split(" ")[0] for note in notes(lint, ".")] == ["load.py:3:", "one.py:2:", "two.py:2:"]
