"""Evaluate a package that takes 32 rows on 1000 samples; the last batch holds 8."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, random_split

BATCH = 32


class Rows(Dataset):
    def __init__(self, count: int, width: int = 6) -> None:
        self.x = torch.randn(count, width)
        self.y = (self.x.sum(1) > 0).long()

    def __len__(self) -> int:
        return len(self.y)

    def __getitem__(self, index):
        return {"x": self.x[index], "y": self.y[index], "index": index}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 2))

    def forward(self, x):
        return self.net(x)


def package(path="rows.pt2"):
    ep = torch.export.export(Net().eval(), (torch.randn(BATCH, 6),))
    return torch._inductor.aoti_compile_and_package(ep, package_path=path)


def main():
    train, test = random_split(Rows(1200), [200, 1000])
    run = torch._inductor.aoti_load_package(package())
    correct = 0
    for step, batch in enumerate(DataLoader(test, batch_size=BATCH, num_workers=0)):
        out = run(batch["x"])
        correct += (out.argmax(-1) == batch["y"]).sum().item()
    print(correct / len(test), len(train))


if __name__ == "__main__":
    main()
