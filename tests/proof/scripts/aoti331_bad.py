import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2


program = torch.export.export(Net(), (torch.randn(4, 4),))
path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
run = torch._inductor.aoti_load_package(path)
print(run(torch.ones(4, 4, dtype=torch.int64))[0, 0].item() == 2)  # <- AOTI331
