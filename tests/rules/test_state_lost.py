"""AOTI704: what a forward keeps for its next call, judged and run: a program gives what its model gives, or not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.judging import lint_files

HEAD = "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n"
TAIL = """

model = Net().eval()
program = torch.export.export(model, (torch.ones(4),), strict=STRICT)
"""
LOST = {
    "recurrence": """
    def __init__(self):
        super().__init__()
        self.state = torch.zeros(4)
    def forward(self, x):
        self.state = self.state * 0.5 + x  # <-
        return self.state + 1
""",
    "the input before": """
    def __init__(self):
        super().__init__()
        self.before = torch.zeros(4)
    def forward(self, x):
        change = x - self.before
        self.before = x  # <-
        return change
""",
    "begins as None": """
    def __init__(self):
        super().__init__()
        self.state = None
    def forward(self, x):
        state = x if self.state is None else self.state * 0.5 + x
        self.state = state  # <-
        return state
""",
    "in a method": """
    def __init__(self):
        super().__init__()
        self.mean = torch.zeros(4)
    def follow(self, x):
        self.mean = torch.lerp(self.mean, x, 0.1)  # <-
    def forward(self, x):
        self.follow(x)
        return x - self.mean
""",
    "a tuple": """
    def __init__(self):
        super().__init__()
        self.past = None
    def forward(self, x):
        both = x, x * 2
        if self.past is not None:
            both = self.past[0] + x, self.past[1] * x
        self.past = both  # <-
        return both[0] + both[1]
""",
    "the state of a recurrent layer": """
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 4, batch_first=True)
        self.state = torch.zeros(1, 1, 4), torch.zeros(1, 1, 4)
    def forward(self, x):
        y, self.state = self.lstm(x.reshape(1, 1, 4), self.state)  # <-
        return y.reshape(4)
""",
    "a list": """
    def __init__(self):
        super().__init__()
        self.past = [torch.zeros(4)]
    def forward(self, x):
        y = self.past[0] + x
        self.past = [y]  # <-
        return y
""",
    "a dict": """
    def __init__(self):
        super().__init__()
        self.past = {"mean": torch.zeros(4)}
    def forward(self, x):
        y = self.past["mean"] * 0.5 + x
        self.past = {"mean": y}  # <-
        return y
""",
    "appended to a list": """
    def __init__(self):
        super().__init__()
        self.past = []
    def forward(self, x):
        self.past.append(x)  # <-
        return torch.stack(self.past).sum(0)
""",
    "added to a list": """
    def __init__(self):
        super().__init__()
        self.past = []
    def forward(self, x):
        self.past += [x * 2]  # <-
        return self.past[0] + x
""",
    "inserted and taken out": """
    def __init__(self):
        super().__init__()
        self.past = [torch.zeros(4)]
    def forward(self, x):
        before = self.past.pop()
        self.past.insert(0, x)  # <-
        return x - before
""",
    "an item of a list": """
    def __init__(self):
        super().__init__()
        self.past = [torch.zeros(4)]
    def forward(self, x):
        self.past[0] = self.past[0] * 0.5 + x  # <-
        return self.past[0] + 1
""",
    "an entry of a dict": """
    def __init__(self):
        super().__init__()
        self.past = {}
    def forward(self, x):
        y = self.past["mean"] + x if "mean" in self.past else x
        self.past["mean"] = y  # <-
        return y * 2
""",
    "an update of a dict": """
    def __init__(self):
        super().__init__()
        self.past = {"mean": torch.zeros(4)}
    def forward(self, x):
        y = self.past["mean"] + x
        self.past.update(mean=y)  # <-
        return y * 2
""",
    "a list of a module inside": """
    class Inside(nn.Module):
        def __init__(self):
            super().__init__()
            self.past = []
        def forward(self, x):
            self.past.append(x)  # <-
            return sum(self.past)
    def __init__(self):
        super().__init__()
        self.inside = Net.Inside()
    def forward(self, x):
        return self.inside(x) * 2
""",
    "set by setattr": """
    def __init__(self):
        super().__init__()
        self.state = torch.zeros(4)
    def forward(self, x):
        setattr(self, "state", self.state + x)  # <-
        return self.state * 1
""",
    "a buffer of a module inside": """
    class Inside(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("state", torch.zeros(4))
        def forward(self, x):
            self.state = self.state * 0.5 + x  # <-
            return self.state + 1
    def __init__(self):
        super().__init__()
        self.inside = Net.Inside()
    def forward(self, x):
        return self.inside(x)
""",
    "assigned from outside": """
    class Inside(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("state", torch.zeros(4))
    def __init__(self):
        super().__init__()
        self.inside = Net.Inside()
    def forward(self, x):
        self.inside.state = self.inside.state * 0.5 + x  # <-
        return self.inside.state + 1
""",
}
STRICT_ONLY = {
    "a buffer": """
    def __init__(self):
        super().__init__()
        self.register_buffer("state", torch.zeros(4))
    def forward(self, x):
        self.state = self.state * 0.5 + x  # <-
        return self.state + 1
""",
}
KEPT = {
    "a buffer in place": """
    def __init__(self):
        super().__init__()
        self.register_buffer("state", torch.zeros(4))
    def forward(self, x):
        self.state.copy_(self.state * 0.5 + x)
        return self.state + 1
""",
    "a buffer of a module inside in place": """
    class Inside(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("state", torch.zeros(4))
        def forward(self, x):
            self.state.mul_(0.5).add_(x)
            return self.state + 1
    def __init__(self):
        super().__init__()
        self.inside = Net.Inside()
    def forward(self, x):
        return self.inside(x)
""",
    "only written": """
    def __init__(self):
        super().__init__()
        self.last = torch.zeros(4)
    def forward(self, x):
        self.last = x * 2
        return self.last + 1
""",
    "made once": """
    def __init__(self):
        super().__init__()
        self.table = None
    def forward(self, x):
        if self.table is None:
            self.table = torch.arange(4.0) * 2
        return x + self.table
""",
    "made anew for another size": """
    def __init__(self):
        super().__init__()
        self.table = torch.arange(2.0)
    def forward(self, x):
        if self.table.shape[0] < x.shape[0]:
            self.table = torch.arange(float(x.shape[0]))
        return x + self.table
""",
    "while training": """
    def __init__(self):
        super().__init__()
        self.mean = torch.zeros(4)
    def forward(self, x):
        if self.training:
            self.mean = self.mean * 0.9 + x * 0.1
        return x - self.mean
""",
    "set back before it is read": """
    def __init__(self):
        super().__init__()
        self.state = torch.zeros(4)
    def forward(self, x):
        self.state = torch.zeros_like(x)
        for _ in range(3):
            self.state = self.state * 0.5 + x
        return self.state
""",
    "a list that is cleared": """
    def __init__(self):
        super().__init__()
        self.past = []
    def forward(self, x):
        self.past.clear()
        self.past.append(x)
        self.past.append(x * 2)
        return torch.stack(self.past).sum(0)
""",
    "a list whose item is taken out again": """
    def __init__(self):
        super().__init__()
        self.past = []
    def forward(self, x):
        self.past.append(x * 2)
        return self.past.pop() + x
""",
    "a dict that is filled once": """
    def __init__(self):
        super().__init__()
        self.tables = {}
    def forward(self, x):
        if x.shape[0] not in self.tables:
            self.tables[x.shape[0]] = torch.arange(float(x.shape[0]))
        return x + self.tables[x.shape[0]]
""",
    "a dict that is filled anew": """
    def __init__(self):
        super().__init__()
        self.parts = {}
    def forward(self, x):
        self.parts["twice"] = x * 2
        return x + self.parts["twice"]
""",
    "numbers in a list": """
    def __init__(self):
        super().__init__()
        self.sizes = []
    def forward(self, x):
        self.sizes.append(x.shape[0])
        return x + self.sizes[-1]
""",
    "in a list of the call": """
    def forward(self, x):
        states = [torch.zeros(4)]
        states[0] = states[0] + x
        return states[0] * 2
""",
}
CASES = [
    (name, body, strict, strict or name in LOST)
    for bodies in (LOST, STRICT_ONLY)
    for name, body in bodies.items()
    for strict in (False, True)
] + [(name, body, strict, False) for name, body in KEPT.items() for strict in (False, True)]


@pytest.mark.parametrize(("name", "body", "strict", "lost"), CASES, ids=lambda value: str(value)[:30].strip())
def test_what_is_said(name: str, body: str, strict: bool, lost: bool, tmp_path: Path) -> None:
    text = HEAD + body.lstrip("\n") + TAIL.replace("STRICT", str(strict))
    found = [
        item.row for item in lint_files(tmp_path / "run", {"net.py": text}, torch="2.13") if item.code == "AOTI704"
    ]
    marked = [row for row, line in enumerate(text.splitlines(), 1) if "# <-" in line]
    assert found == (marked if lost else [])


RUN = """
import sys, warnings
warnings.simplefilter("ignore")
for line in sys.stdin.read().split("\\0"):
    space = {}
    exec(line, space)
    module, eager = space["program"].module(), space["Net"]().eval()
    inputs = [space["torch"].ones(4) * (n + 1) for n in range(3)]
    same = all(space["torch"].equal(module(x), eager(x)) for x in inputs)
    print("kept" if same else "lost", flush=True)
"""


def test_torch_agrees(tmp_path: Path) -> None:
    """The program gives three times what the model gives, or not."""
    pytest.importorskip("torch")
    texts = [HEAD + body.lstrip("\n") + TAIL.replace("STRICT", str(strict)) for _, body, strict, _ in CASES]
    (tmp_path / "run.py").write_text(RUN, encoding="utf-8")
    files = []
    for number, text in enumerate(texts):
        path = tmp_path / f"case{number}.py"
        path.write_text(text, encoding="utf-8")
        files.append(f"exec(compile(open({str(path)!r}).read(), {str(path)!r}, 'exec'))")
    done = subprocess.run(
        [sys.executable, "run.py"],
        input="\0".join(files), cwd=tmp_path, env={**os.environ, "CUDA_VISIBLE_DEVICES": ""},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    wanted = ["lost" if lost else "kept" for _, _, _, lost in CASES]
    assert done.stdout.split() == wanted
