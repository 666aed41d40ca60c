import torch

torch.ops.load_library("./libops.so")


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.ops.host_proof.twice(x) + 1


program = torch.export.export(Net(), (torch.ones(4),))
torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
