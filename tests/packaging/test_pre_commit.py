"""The pre-commit hook, as pre-commit itself runs it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

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


def test_the_hook_finds_the_other_end_in_a_file_that_is_not_committed_with_it(tmp_path: Path) -> None:
    hooks = clone(tmp_path / "hooks")
    user = tmp_path / "user"
    user.mkdir()
    (user / "export.py").write_text(EXPORT, encoding="utf-8")
    (user / "requirements.txt").write_text("torch==2.13.0\n", encoding="utf-8")
    (user / "fine.py").write_text("print('nothing to see')\n", encoding="utf-8")
    (user / "serve.py").write_text(SERVE, encoding="utf-8")
    run("git", "init", "-q", cwd=user)
    run("git", "add", "-A", cwd=user)

    def hook(*files: str, code: int) -> str:
        command = (sys.executable, "-m", "pre_commit", "try-repo", hooks, "aoti-lint", "--files")
        return run(*command, *files, cwd=user, code=code, PRE_COMMIT_HOME=str(tmp_path / "home"), NO_COLOR="1")

    assert "Passed" in hook("fine.py", code=0)
    found = hook("serve.py", code=1)
    assert "Failed" in found
    assert "AOTI102" in found
    assert "export.py:3" in found
