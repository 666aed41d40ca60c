"""The pre-commit hook, as pre-commit itself runs it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import yaml
from identify import identify

from aoti_lint.source.discovery.discover import DATA_SUFFIXES, NATIVE_SUFFIXES, PYTHON_SUFFIXES
from tests.packaging.environments import PROJECT, clone, run

pytestmark = pytest.mark.skipif(not (PROJECT / ".git").exists(), reason="pre-commit installs hooks from git")

EXPORT = """\
import torch

program = torch.export.export(torch.nn.ReLU().cuda(), (torch.ones(2, 3, device="cuda"),))
torch._inductor.aoti_compile_and_package(program, package_path="relu.pt2")
"""
SERVE = """\
import torch

model = torch._inductor.aoti_load_package("relu.pt2")
print(model(torch.ones(2, 3)))
"""


START = "#!/bin/sh\nexport TORCHINDUCTOR_NAN_ASSERTZ=1\npython serve.py\n"
CONFIG = """\
repos:
  - repo: {repo}
    rev: {rev}
    hooks:
      - id: aoti-lint
        alias: changed
      - id: aoti-lint
        alias: whole
        pass_filenames: false
        args: [.]
"""


def test_the_hook_finds_the_other_end_in_a_file_that_is_not_committed_with_it(tmp_path: Path) -> None:
    hooks = clone(tmp_path / "hooks")
    user = tmp_path / "user"
    user.mkdir()
    files = {
        "export.py": EXPORT, "requirements.txt": "torch==2.13.0\n", "fine.py": "print('nothing to see')\n",
        "serve.py": SERVE, "start": START, "settings.py": "ROWS = 2\n", "notes.yaml": "a: 1\n",
        ".pre-commit-config.yaml": CONFIG.format(repo=hooks, rev=run("git", "rev-parse", "HEAD", cwd=hooks).strip()),
    }  # fmt: skip
    for name, text in files.items():
        (user / name).write_text(text, encoding="utf-8")
    (user / "start").chmod(0o755)
    run("git", "init", "-q", cwd=user)
    run("git", "add", "-A", cwd=user)

    def hook(name: str, *files: str, code: int) -> str:
        command = (sys.executable, "-m", "pre_commit", "run", name, "--files", *files)
        return run(*command, cwd=user, code=code, PRE_COMMIT_HOME=str(tmp_path / "home"), NO_COLOR="1")

    assert "Passed" in hook("changed", "fine.py", "notes.yaml", code=0)
    for name in ("serve.py", "export.py"):
        found = hook("changed", name, code=1)
        assert "Failed" in found
        assert "AOTI102" in found
        assert "export.py:3" in found
    assert "start:2:8" in hook("changed", "start", code=1)
    # It is no end of the finding, which a check of the whole tells all the same.
    assert "Passed" in hook("changed", "settings.py", code=0)
    assert "AOTI102" in hook("whole", "settings.py", code=1)


def test_the_hook_is_run_for_what_is_read() -> None:
    (hook,) = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    names = [f"a{suffix}" for suffix in (*PYTHON_SUFFIXES, *NATIVE_SUFFIXES)]
    names += ["run.sh", "run.bash", "Dockerfile", "Dockerfile.gpu", "Containerfile", "prod.env", "ci.yml", "ci.yaml"]
    names += [f"config{suffix}" for suffix in DATA_SUFFIXES]
    passed_by = [name for name in names if identify.tags_from_filename(name).isdisjoint(hook["types_or"])]
    assert passed_by == ["a.hip", "config.cfg"], "pre-commit knows no such files"
