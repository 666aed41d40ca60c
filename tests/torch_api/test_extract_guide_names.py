"""The script that collects the names of debugging guides, on small made-up guides."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts" / "extract_guide_names.py"

SHELL = """\
Set `SOME_FLAG=1` or SOME_FLAG (mode ONLY_SAVE), as in FILTER_NAMES="a_0, b_1" TORCH_LOGS="+alpha, beta".

```bash
SOME_FLAG=1 python your_script.py
TRACE_TO=/path/to/trace python serve.py
tlparse /path/to/trace -o report
```

See [the settings](https://example.org/x/page.py) in torch/_inductor/config.py, `../tmp/dir/before_launch_k_buf0_cpu.pt`
and `/path/to/out/launcher.py`. Fast is the default backend.
"""
PYTHON = """\
```python import torch._inductor.config as config from torch.export import Dim, save
config.debug = True
config.cpp.simdlen = 8
torch._dynamo.config.root = "/path"
def my_function(x): pass
my_result = my_function(x)
torch._inductor.load(path, device="cpu").run(limit=3)
helper_call(x, command='run')
model.eval()  # or .cuda()
```
"""


def test_names_by_kind(tmp_path: Path) -> None:
    (tmp_path / "shell.md").write_text(SHELL, encoding="utf-8")
    (tmp_path / "python.md").write_text(PYTHON, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, SCRIPT, "shell.md", "python.md"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    again = subprocess.run(
        [sys.executable, SCRIPT, "python.md", "shell.md"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == again.stdout
    assert json.loads(done.stdout) == {
        "arguments": ["command=run", "device=cpu", "limit"],
        "backends": ["fast"],
        "files": [
            "<before|after>_launch_<kernel>_<arg>_<device>.pt",
            "launcher.py",
            "serve.py",
            "tmp/dir/",
            "torch/_inductor/config.py",
        ],
        "functions": [
            "helper_call",
            "torch._inductor.config",
            "torch._inductor.load",
            "torch.export",
            "torch.export.Dim",
            "torch.export.save",
        ],
        "log names": ["alpha", "beta"],
        "methods": ["cuda", "eval", "run"],
        "printer modes": ["ONLY_SAVE"],
        "settings": [
            "torch._dynamo.config.root",
            "torch._inductor.config.cpp.simdlen",
            "torch._inductor.config.debug",
        ],
        "tools": ["python", "tlparse", "tlparse -o"],
        "values": [
            "FILTER_NAMES=a_0,b_1",
            "SOME_FLAG=1",
            "TORCH_LOGS=+alpha,beta",
            "torch._dynamo.config.root=/path",
            "torch._inductor.config.cpp.simdlen=8",
            "torch._inductor.config.debug=True",
        ],
        "variables": ["FILTER_NAMES", "SOME_FLAG", "TORCH_LOGS", "TRACE_TO"],
    }


def test_no_guide_is_a_mistake() -> None:
    done = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("usage: ")
