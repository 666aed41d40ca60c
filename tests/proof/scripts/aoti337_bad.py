import torch


class Scale(torch.nn.Module):
    def forward(self, x, k):
        return x * k


free = {"x": None, "k": torch.export.Dim.DYNAMIC}
program = torch.export.export(Scale(), (torch.ones(3), 2), dynamic_shapes=free)
path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")  # <- AOTI337
