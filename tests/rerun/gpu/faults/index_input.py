"""Sums messages of edges at nodes; the edges of one graph count from 1."""

import torch


class Pool(torch.nn.Module):
    def __init__(self, nodes: int) -> None:
        super().__init__()
        self.nodes = nodes
        self.message = torch.nn.Linear(24, 24)
        self.update = torch.nn.Linear(24, 8)

    def forward(self, x: torch.Tensor, source: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        sent = torch.tanh(self.message(x))[source]
        received = torch.zeros(self.nodes, 24, device=x.device)
        received = received.index_put((target,), sent, accumulate=True)
        return self.update(received)


torch.manual_seed(0)
nodes, edges = 50, 200
model = Pool(nodes).cuda().eval()
x = torch.randn(nodes, 24, device="cuda")
source = torch.randint(0, nodes, (edges,), device="cuda")
target = torch.randint(0, nodes, (edges,), device="cuda")
path = torch._inductor.aoti_compile_and_package(
    torch.export.export(model, (x, source, target)), package_path="pool.pt2"
)
run = torch._inductor.aoti_load_package(path)
print("first", run(x, source, target).norm().item())
wrong = target.clone()
wrong[wrong == nodes - 1] = nodes
print("second", run(x, source, wrong).norm().item())
