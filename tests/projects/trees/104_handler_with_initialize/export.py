import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x.sum(-1)


ep = torch.export.export(
    Net(), (torch.zeros(2, 4, device="cuda"),), dynamic_shapes=({0: torch.export.Dim("b", min=1, max=64)},)
)
torch._inductor.aoti_compile_and_package(ep, package_path="/models/m/1/net.pt2")
