import torch


class Counted(torch.nn.Module):
    def forward(self, x):
        return x * 2, 7


program = torch.export.export(Counted(), (torch.randn(2, 3),))
path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
print("package", torch._inductor.aoti_load_package(path)(torch.randn(2, 3))[1])
print("program", program.module()(torch.randn(2, 3))[1])
