import torch


class Scored(torch.nn.Module):
    def forward(self, x):
        return {"scores": x.softmax(-1), "threshold": torch.full((), 0.5), "nothing": None}


program = torch.export.export(Scored(), (torch.randn(2, 3),))
path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
print(torch._inductor.aoti_load_package(path)(torch.randn(2, 3))["threshold"])
