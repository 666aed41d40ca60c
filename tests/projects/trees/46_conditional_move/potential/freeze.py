"""Trace on the host (a must for some operators), move if there is somewhere to move to, compile."""
import torch
from torch import nn

from potential import env


class Descriptor(nn.Module):
    def __init__(self, types=3, width=8):
        super().__init__()
        self.embed = nn.Embedding(types, width)
        self.net = nn.Linear(width + 1, 1)

    def forward(self, distances, kinds):
        features = torch.cat([distances.unsqueeze(-1), self.embed(kinds)], -1)
        return self.net(features).squeeze(-1).sum(-1)


def sample(atoms=6, neighbours=4, device="cpu"):
    distances = torch.rand(atoms, neighbours, device=device)
    kinds = torch.randint(0, 3, (atoms, neighbours), device=device)
    return distances, kinds


def freeze(path):
    model = Descriptor().to("cpu").eval()
    atoms = torch.export.Dim("atoms", min=1, max=10_000)
    program = torch.export.export(model, sample(), dynamic_shapes=({0: atoms}, {0: atoms}))
    target = env.DEVICE
    if target.type != "cpu":
        from torch.export.passes import move_to_device_pass

        program = move_to_device_pass(program, target)
    return torch._inductor.aoti_compile_and_package(program, package_path=path)


if __name__ == "__main__":
    freeze("potential.pt2")
