import enum

import torch
from torch import nn


class Place(enum.Enum):
    HOST = "cpu"
    GPU = "cuda"

    @property
    def device(self):
        return torch.device(self.value)

    def tensor(self, *size):
        return torch.ones(*size, device=self.device)


def package(place):
    model = nn.LayerNorm(8).to(place.device).eval()
    program = torch.export.export(model, (place.tensor(2, 8),))
    return torch._inductor.aoti_compile_and_package(program, package_path=f"norm-{place.name.lower()}.pt2")


paths = {place: package(place) for place in Place}
norm = torch._inductor.aoti_load_package(paths[Place.GPU])
print(norm(Place.HOST.tensor(2, 8)))
