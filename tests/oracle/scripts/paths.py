import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.l(x))


import os
from pathlib import Path

ep = torch.export.export(M(), (torch.randn(2, 4),))
stem, version = "net", 3
FOLDER = Path("out")
FOLDER.mkdir(exist_ok=True)
names = [
    f"{stem}_v{version}.pt2",
    os.path.join("out", stem + ".pt2"),
    "%s-%d.pt2" % (stem, version),
    "{}.{}".format(stem, "pt2"),
    str(FOLDER / f"{stem}2.pt2"),
    os.fspath(FOLDER.joinpath("deep.pt2")),
    (FOLDER / "x").with_suffix(".pt2").as_posix(),
    "".join(["joined", ".pt2"]),
    "UP.PT2".lower(),
    stem.replace("n", "b") + ".pt2",
    os.path.splitext("a.so")[0] + ".pt2",
]
for name in names:
    torch._inductor.aoti_compile_and_package(ep, package_path=name)
    torch._inductor.aoti_load_package(name)(torch.randn(2, 4))
one = torch._inductor.aoti_compile_and_package(ep, package_path=names[0])
torch._inductor.aoti_load_package(one)
torch._inductor.aoti_load_package(names[-1])
