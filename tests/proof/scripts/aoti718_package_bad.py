import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x + torch.as_tensor(3.0), lambda x: x.clone(), (x,))


program = torch.export.export(Net(), (torch.randn(3, 2),))
torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")  # <- AOTI718
