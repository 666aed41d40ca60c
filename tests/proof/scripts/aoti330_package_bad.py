import torch


class Scale(torch.nn.Module):
    def forward(self, x, k):
        return x * k


program = torch.export.export(Scale(), (torch.ones(3), 2.0))
path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
run = torch._inductor.aoti_load_package(path)
print(run(torch.ones(3), 5.0).tolist())  # <- AOTI330
