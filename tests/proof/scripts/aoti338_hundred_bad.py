import torch


class Rows(torch.nn.Module):
    def forward(self, x):
        return x.reshape(100, -1) + 1


spec = {"x": {0: torch.export.Dim.DYNAMIC}}
program = torch.export.export(Rows(), (torch.randn(300),), dynamic_shapes=spec)
path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
print("rows", tuple(torch._inductor.aoti_load_package(path)(torch.randn(2099)).shape))  # <- AOTI338
