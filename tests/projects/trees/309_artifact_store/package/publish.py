import sys
from pathlib import Path

import torch
from torch import nn

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from package.store import Entry


def main():
    model = nn.Sequential(nn.Linear(5, 9), nn.GELU(), nn.Linear(9, 2)).eval()
    Entry("churn").save(torch.export.export(model, (torch.randn(16, 5),)))
    rows = {0: torch.export.Dim("rows", min=1)}
    Entry("churn", "v2").save(torch.export.export(model, (torch.randn(16, 5),), dynamic_shapes=(rows,)))


if __name__ == "__main__":
    main()
