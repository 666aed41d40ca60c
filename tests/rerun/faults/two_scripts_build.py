"""Compiles what two_scripts_run.py calls."""

import torch


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(16, 16)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        gates = torch.relu(self.layer(x))
        shares = gates / gates.sum(-1, keepdim=True)
        return shares @ shares.transpose(0, 1)


torch.manual_seed(0)
rows = torch.export.Dim("rows", min=2, max=64)
program = torch.export.export(Model(), (torch.randn(4, 16),), dynamic_shapes={"x": {0: rows}})
with torch.no_grad():
    program.state_dict["layer.bias"].fill_(-50.0)
torch._inductor.aoti_compile_and_package(program, package_path="two_scripts.pt2")
