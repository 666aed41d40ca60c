"""A NaN in one weight, as a bad step of the training left it."""

import torch


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = torch.nn.ModuleList(torch.nn.Linear(12, 12) for _ in range(5))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = torch.relu(layer(x)) + x
        return x


torch.manual_seed(0)
model = Model()
with torch.no_grad():
    model.layers[3].weight[2, 5] = float("nan")
program = torch.export.export(model, (torch.randn(4, 12),))
path = torch._inductor.aoti_compile_and_package(program, package_path="bad_checkpoint.pt2")
assert not torch._inductor.aoti_load_package(path)(torch.randn(4, 12)).isnan().any()
