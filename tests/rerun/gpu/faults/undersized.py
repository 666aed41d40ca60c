"""The fake promises a row for each edge, the kernel gives those that are kept: the rest is read from nowhere."""

import torch


@torch.library.custom_op("fault::keep", mutates_args=())
def keep(edges: torch.Tensor, kept: int) -> torch.Tensor:
    return edges[:kept].clone()


@keep.register_fake
def _(edges: torch.Tensor, kept: int) -> torch.Tensor:
    return torch.empty_like(edges)


class Graph(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Linear(64, 128)
        self.last = torch.nn.Linear(128, 8)

    def forward(self, edges: torch.Tensor) -> torch.Tensor:
        messages = torch.sigmoid(self.first(edges))
        kept = torch.ops.fault.keep(messages, 16)
        return self.last(torch.sin(kept) * 2.0)


torch.manual_seed(0)
model = Graph().cuda().eval()
edges = torch.randn(1 << 18, 64, device="cuda")
program = torch.export.export(model, (edges,))
path = torch._inductor.aoti_compile_and_package(program, package_path="undersized.pt2")
out = torch._inductor.aoti_load_package(path)(edges)
torch.cuda.synchronize()
print(out.shape)
