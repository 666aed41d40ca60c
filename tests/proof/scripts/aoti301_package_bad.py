import torch


class Wave(torch.nn.Module):
    def forward(self, x):
        return torch.sin(x) + 1


program = torch.export.export(Wave(), (torch.zeros(64, 64),))
path = torch._inductor.aoti_compile_and_package(program, package_path="wave.pt2")
run = torch._inductor.aoti_load_package(path)
print("shape", tuple(run(torch.zeros(2, 3)).shape))  # <- AOTI301
