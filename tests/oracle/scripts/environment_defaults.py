import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.l(x))


import os

DEVICE = os.environ.get("NO_SUCH_DEVICE_VARIABLE", "cpu")
BATCH = int(os.getenv("NO_SUCH_BATCH_VARIABLE", "5"))
FOLDER = os.environ.get("NO_SUCH_FOLDER_VARIABLE") or "."

ep = torch.export.export(M().to(DEVICE), (torch.zeros(BATCH, 4, device=DEVICE),))
path = os.path.join(FOLDER, "env.pt2")
torch._inductor.aoti_compile_and_package(ep, package_path=path)
torch._inductor.aoti_load_package(path)(torch.zeros(BATCH, 4, device=DEVICE))
