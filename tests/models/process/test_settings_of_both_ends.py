"""Two settings in two files, or in two parts of one: what the export reads, and what the server does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_paths

MODEL = """\
{imports}
import torch

class Model(torch.nn.Module):
    def forward(self, x):
        return x * 2

{read}
batch = torch.export.Dim("batch", min=1, max={size})
program = torch.export.export(Model(), (torch.randn(2, 8),), dynamic_shapes={{"x": {{0: batch}}}})
torch.export.save(program, "model.pt2")
"""
SERVER = """\
{imports}
import torch

{read}
module = torch.export.load("model.pt2").module()
module(torch.randn({size}, 8))
"""
KINDS = {
    "yaml": (
        {"export.yaml": "model:\n  max_batch: 8\n", "serve.yaml": "server:\n  batch: {batch}\n"},
        ("import yaml", 'cfg = yaml.safe_load(open("export.yaml"))', 'cfg["model"]["max_batch"]'),
        ("import yaml", 'cfg = yaml.safe_load(open("serve.yaml"))', 'cfg["server"]["batch"]'),
    ),
    "json": (
        {"export.json": '{{"max_batch": 8}}', "serve.json": '{{"batch": {batch}}}'},
        ("import json", 'cfg = json.load(open("export.json"))', 'cfg["max_batch"]'),
        ("import json", 'cfg = json.load(open("serve.json"))', 'cfg["batch"]'),
    ),
    "toml": (
        {"settings.toml": "[export]\nmax_batch = 8\n[serve]\nbatch = {batch}\n"},
        ("import tomli", 'cfg = tomli.load(open("settings.toml", "rb"))["export"]', 'cfg["max_batch"]'),
        ("import tomli", 'cfg = tomli.load(open("settings.toml", "rb"))["serve"]', 'cfg["batch"]'),
    ),
    "ini": (
        {"settings.ini": "[export]\nmax_batch = 8\n[serve]\nBatch = {batch}\n"},
        (
            "import configparser",
            'cfg = configparser.ConfigParser()\ncfg.read("settings.ini")',
            'cfg.getint("export", "max_batch")',
        ),
        (
            "import configparser",
            'cfg = configparser.ConfigParser()\ncfg.read_file(open("settings.ini"))',
            'int(cfg["serve"]["batch"])',
        ),
    ),
    "section": (
        {"settings.cfg": "[DEFAULT]\nmax_batch = 8\n[serve]\nbatch = {batch}\n"},
        (
            "from configparser import ConfigParser",
            'cfg = ConfigParser()\ncfg.read(["settings.cfg"])\nserve = cfg["serve"]',
            'serve.getint("max_batch")',
        ),
        (
            "from configparser import ConfigParser",
            'cfg = ConfigParser()\ncfg.read("settings.cfg")',
            'cfg["serve"].getint("batch", 4)',
        ),
    ),
    "env": (
        {".env": "MAX_BATCH=8\nSERVE_BATCH={batch}\n"},
        ("import os\nfrom dotenv import load_dotenv", "load_dotenv()", 'int(os.environ["MAX_BATCH"])'),
        ("import os\nfrom dotenv import load_dotenv", "load_dotenv()", 'int(os.getenv("SERVE_BATCH", "4"))'),
    ),
    "env values": (
        {"conf.env": "MAX_BATCH=8\nSERVE_BATCH={batch}\n"},
        ("from dotenv import dotenv_values", 'cfg = dotenv_values("conf.env")', 'int(cfg["MAX_BATCH"])'),
        ("from dotenv import dotenv_values", 'cfg = dotenv_values("conf.env")', 'int(cfg["SERVE_BATCH"])'),
    ),
    "python": (
        {"settings.py": "MAX_BATCH = 8\nBATCH = {batch}\n"},
        ("from settings import MAX_BATCH", "", "MAX_BATCH"),
        ("import settings", "", "settings.BATCH"),
    ),
}


def told(folder: Path, kind: str, batch: int) -> list[tuple[str, str]]:
    """What is found in a project of this kind: the code and how sure it is."""
    files, (first, read, most), (second, reads, size) = KINDS[kind]
    if kind == "toml":
        pytest.importorskip("tomllib")
    made = {name: text.format(batch=batch) for name, text in files.items()}
    made["export.py"] = MODEL.format(imports=first, read=read, size=most)
    made["serve.py"] = SERVER.format(imports=second, read=reads, size=size)
    for name, text in made.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [(one.code, one.confidence) for one in lint_paths([folder], folder / "report.out")]


@pytest.mark.parametrize("kind", KINDS)
def test_a_server_with_a_larger_batch_is_told(kind: str, tmp_path: Path) -> None:
    assert told(tmp_path, kind, 16) == [("AOTI333", "certain" if kind == "python" else "likely")]


@pytest.mark.parametrize("kind", KINDS)
def test_a_server_that_keeps_to_the_export_is_not(kind: str, tmp_path: Path) -> None:
    assert told(tmp_path, kind, 8) == []


READ = KINDS["ini"][2][1]


@pytest.mark.parametrize(
    ("read", "size"),
    [
        (READ + '\ncfg.set("serve", "batch", "4")', 'int(cfg["serve"]["batch"])'),
        (READ + '\ncfg["serve"]["batch"] = "4"', 'int(cfg["serve"]["batch"])'),
        (READ + '\ncfg.read("other.ini")', 'int(cfg["serve"]["batch"])'),
        ("cfg = configparser.ConfigParser(defaults={})\ncfg.read('settings.ini')", 'int(cfg["serve"]["batch"])'),
        (READ, 'cfg.getint("serve", "not there", fallback=4)'),
        (READ, 'cfg["serve"].getint("not there", 4)'),
        (READ, 'int(cfg["serve"]["scaled"])'),
    ],
)
def test_what_else_decides_an_entry_is_seen(
    read: str, size: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, first, (imports, *_) = KINDS["ini"]
    monkeypatch.setitem(KINDS, "ini", (files, first, (imports, read, size)))
    text = files["settings.ini"] + "scaled = 1%(batch)s\n"
    monkeypatch.setitem(files, "settings.ini", text)
    assert told(tmp_path, "ini", 16) == []


@pytest.mark.parametrize(
    ("read", "found"),
    [
        ('os.environ["SERVE_BATCH"] = "4"\nload_dotenv()', False),
        ('os.environ["SERVE_BATCH"] = "4"\nload_dotenv(override=True)', True),
        ('load_dotenv("nowhere.env")', False),
        ('load_dotenv(".env")\nos.environ["SERVE_BATCH"] = "4"', False),
    ],
)
def test_a_variable_that_is_set_stays(read: str, found: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, first, (imports, _, size) = KINDS["env"]
    monkeypatch.setitem(KINDS, "env", (files, first, (imports, read, size)))
    assert told(tmp_path, "env", 16) == [("AOTI333", "likely")] * found


def test_the_nearest_file_of_variables_counts(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    below = tmp_path / "below"
    below.mkdir()
    found = told(below, "env", 16)
    (below / ".env").rename(tmp_path / ".env")
    assert [(one.code, one.confidence) for one in lint_paths([below], tmp_path / "report.out")] == found
    (below / ".env").write_text("MAX_BATCH=32\n", encoding="utf-8")
    assert lint_paths([below], tmp_path / "report.out") == []
