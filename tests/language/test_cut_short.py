"""What a call changes that is not followed to its end, as it leads to nothing and takes long."""

from pathlib import Path

from tests.judging import lint_files

SCRIPT = """
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 4)
        self.table = None
        self.inner = torch.nn.ReLU()
        self.inner.cache = None

    def prepare(self):
        {work}
        self.inner.cache = torch.ones(4)
        self.table = torch.ones(4)

    def forward(self, x):
        assert self.table is not None
        return self.inner(self.fc(x)) * self.inner.cache.sum() * self.table

model = Net()
model.prepare()
def step(net, x):
    return net(x)

run = torch.compile(step, fullgraph=True)
run(model, torch.ones(2, 4))
"""
LONG = "size = 1\n" + "        size = size + 1\n" * 400


def test_attributes_that_it_binds_are_not_known(tmp_path: Path) -> None:
    for i, work in enumerate(("pass", LONG)):
        assert lint_files(tmp_path / f"run{i}", {"script.py": SCRIPT.format(work=work)}) == []
