import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2


program = torch.export.export(Net(), (torch.randn(4, 4),))
path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
run = torch._inductor.aoti_load_package(path)
x = torch.arange(16.0).reshape(4, 4).t()
print("equal", torch.equal(run(x), x * 2))  # <- AOTI332
