"""AOTI513 of variables that a shell script keeps for itself; a shell says who sees them."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = "import os\nimport torch\n\nprint('seen', os.environ.get('TORCH_LOGS'))\ntorch.compile(torch.nn.ReLU())\n"
KEPT = (
    "TORCH_LOGS=graph_code\npython build.py\n",
    "TORCH_LOGS='graph_code' OMP_NUM_THREADS=1\n\npython build.py\n",
    "declare TORCH_LOGS=graph_code\npython build.py\n",
    "if true; then\n  TORCH_LOGS=graph_code\nfi\npython build.py\n",
)
SEEN = (
    "export TORCH_LOGS=graph_code\npython build.py\n",
    "TORCH_LOGS=graph_code\nexport TORCH_LOGS\npython build.py\n",
    "TORCH_LOGS=graph_code python build.py\n",
    "set -a\nTORCH_LOGS=graph_code\npython build.py\n",
    "declare -x TORCH_LOGS=graph_code\npython build.py\n",
    'TORCH_LOGS=graph_code\nenv TORCH_LOGS="$TORCH_LOGS" python build.py\n',
)
OPEN = (
    ". ./settings.sh\nTORCH_LOGS=graph_code\npython build.py\n",
    "TORCH_LOGS=graph_code\necho done\n",
    "TORCH_PARTS=3\npython build.py\n",
)


def _told(shell: str, tmp_path: Path) -> list[tuple[str, str]]:
    found = lint_files(tmp_path / "run", {"build.py": SCRIPT, "run.sh": shell}, ["."])
    return [(one.code, one.file) for one in found if one.code == "AOTI513"]


@pytest.mark.parametrize("shell", KEPT)
def test_a_variable_that_is_not_exported_is_told(shell: str, tmp_path: Path) -> None:
    assert _told(shell, tmp_path) == [("AOTI513", "run.sh")]


@pytest.mark.parametrize("shell", [*SEEN, *OPEN])
def test_one_that_is_exported_or_of_no_concern_is_not(shell: str, tmp_path: Path) -> None:
    assert not _told(shell, tmp_path)


@pytest.mark.parametrize("shell", [*KEPT, *SEEN])
def test_the_shell_agrees(shell: str, tmp_path: Path) -> None:
    command = f"{sys.executable} -c 'import os; print(os.environ.get(\"TORCH_LOGS\"))'"
    script = tmp_path / "run.sh"
    script.write_text(shell.replace("python build.py", command))
    said = subprocess.run(["bash", script], env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=True)
    assert said.stdout.strip() == ("None" if shell in KEPT else "graph_code")
