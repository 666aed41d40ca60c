import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.l(x))


import io

ep = torch.export.export(M(), (torch.randn(3, 4),))
torch.export.save(ep, "program.pt2")
again = torch.export.load("program.pt2")
again.module()(torch.randn(3, 4))
torch._inductor.aoti_compile_and_package(again, package_path="again.pt2")
torch._inductor.aoti_load_package("again.pt2")(torch.randn(3, 4))
buffer = io.BytesIO()
torch.export.save(ep, buffer)
buffer.seek(0)
third = torch.export.load(buffer)
third.module()(torch.randn(3, 4))
lower = ep.run_decompositions()
lower.module()(torch.ones(3, 4))
torch._inductor.aoti_compile_and_package(lower, package_path="lower.pt2")
