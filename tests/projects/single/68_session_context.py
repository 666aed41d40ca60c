import torch
from torch import nn


class Session:
    """with Session(path) as run: ..."""

    def __init__(self, path, device=None):
        self.path = path
        self.device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))

    def __enter__(self):
        model = nn.Linear(3, 3).to(self.device).eval()
        self.example = torch.zeros(2, 3, device=self.device)
        program = torch.export.export(model, (self.example,))
        self.loaded = torch._inductor.aoti_load_package(
            torch._inductor.aoti_compile_and_package(program, package_path=self.path)
        )
        return self

    def __exit__(self, *problem):
        self.loaded = None
        return False

    def run(self, x):
        return self.loaded(x.to(self.example.device))


with Session("session.pt2") as session:
    print(session.run(torch.ones(2, 3)).sum().item())
with Session("gpu.pt2", "cuda") as session:
    print(session.run(torch.ones(2, 3)).sum().item())
