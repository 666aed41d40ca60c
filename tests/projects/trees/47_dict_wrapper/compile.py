import torch

from chem import INPUT_KEYS, atoms_to_dict
from chem.data import to_device
from chem.wrapper import ListInputOutput


class Dipole(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Linear(3, 3, bias=False)

    def forward(self, data):
        return (self.scale(data["positions"]) * data["charges"].unsqueeze(-1)).sum(0)


if __name__ == "__main__":
    device = "cuda"
    model = ListInputOutput(Dipole(), INPUT_KEYS).to(device).eval()
    data = to_device(atoms_to_dict(5), device)
    n = torch.export.Dim("n", min=2, max=500)
    program = torch.export.export(model, tuple(data[key] for key in INPUT_KEYS), dynamic_shapes=(({0: n}, {0: n}),))
    torch._inductor.aoti_compile_and_package(program, package_path="dipole.pt2")
