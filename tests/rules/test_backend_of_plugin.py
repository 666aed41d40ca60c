"""A backend that is registered by a module which other packages import, as the metadata of the project says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

FILES = {
    "backend.py": """\
from torch._dynamo import register_backend

@register_backend(name="tt")
def tt(gm, inputs):
    return gm.forward
""",
    "run.py": """\
import torch, torch_xla

model = torch.compile(torch.nn.Linear(2, 2), backend="tt")
""",
}
SETUP = 'from setuptools import setup\n\nsetup(name="x", entry_points={%s})\n'
COMMAND, PLUGIN = '"console_scripts": ["x = x:main"]', '"torch_xla.plugins": ["tt = plugin:Plugin"]'


@pytest.mark.parametrize(
    ("metadata", "codes"),
    [
        ({}, ["AOTI512"]),
        ({"setup.py": SETUP % COMMAND}, ["AOTI512"]),
        ({"setup.py": SETUP % f"{COMMAND}, {PLUGIN}"}, []),
        ({"pyproject.toml": '[project.scripts]\nx = "x:main"\n'}, ["AOTI512"]),
        ({"pyproject.toml": '[project.entry-points."torch_xla.plugins"]\ntt = "plugin:Plugin"\n'}, []),
        ({"setup.cfg": "[options.entry_points]\nconsole_scripts =\n    x = x:main\n"}, ["AOTI512"]),
        ({"setup.cfg": "[options.entry_points]\ntorch_xla.plugins =\n    tt = plugin:Plugin\n"}, []),
    ],
)
def test_a_plugin_is_loaded_by_others(tmp_path: Path, metadata: dict[str, str], codes: list[str]) -> None:
    found = lint_files(tmp_path / "run", {**FILES, **metadata}, None, torch="2.13")
    assert [one.code for one in found] == codes
