import torch


class Scored(torch.nn.Module):
    def forward(self, x):
        return {"scores": x.softmax(-1), "threshold": 0.5}


program = torch.export.export(Scored(), (torch.randn(2, 3),))
torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")  # <- AOTI717
