import torch

library = torch.library.Library("proof", "DEF")
library.define("wave(Tensor x) -> Tensor")
library.impl("wave", lambda x: x.sin(), "CPU")
library.impl("wave", lambda x: x.sin(), "AutogradCPU")  # tracing enters it


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.ops.proof.wave(x) + 1


program = torch.export.export(Model(), (torch.randn(2, 8),))
print([str(node.target) for node in program.run_decompositions().graph.nodes if node.op == "call_function"])
print("shape", tuple(program.module()(torch.randn(2, 8)).shape))
