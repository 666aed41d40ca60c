import torch

from potential.env import DEVICE
from potential.freeze import sample


class Potential:
    def __init__(self, path):
        self.energy = torch._inductor.aoti_load_package(path)

    def __call__(self, distances, kinds):
        return self.energy(distances.to(DEVICE), kinds.to(DEVICE)).detach().cpu()


if __name__ == "__main__":
    potential = Potential("potential.pt2")
    print(potential(*sample(atoms=20)).shape)
    print(potential.energy(*sample(atoms=30, device=DEVICE)).shape)
