import torch


@torch.library.custom_op("proof::wave", mutates_args=())
def wave(x: torch.Tensor) -> torch.Tensor:
    return x.sin()


@wave.register_fake
def _(x):
    if x.shape[0] == 4:  # <- AOTI402
        return torch.empty_like(x)
    return x.new_empty(x.shape)


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.ops.proof.wave(x) + 1


batch = torch.export.Dim("batch", min=2, max=64)
program = torch.export.export(Model(), (torch.randn(4, 8),), dynamic_shapes={"x": {0: batch}})
