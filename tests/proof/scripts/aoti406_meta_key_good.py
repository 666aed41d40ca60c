import torch

library = torch.library.Library("proof", "DEF")
name = library.define("wave(Tensor x) -> Tensor")
library.impl(name, lambda x: x.sin(), "CPU")
library.impl(name, lambda x: torch.empty(x.shape, dtype=x.dtype, device="meta"), "Meta")


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.ops.proof.wave(x) + 1


program = torch.export.export(Model(), (torch.randn(2, 8),))
print("device", next(node.meta["val"].device for node in program.graph.nodes if node.op == "call_function"))
