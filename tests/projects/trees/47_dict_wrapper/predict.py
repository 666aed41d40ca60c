import torch

from chem import INPUT_KEYS, atoms_to_dict
from chem.wrapper import DictInput


def main():
    dipole = DictInput(torch._inductor.aoti_load_package("dipole.pt2"), INPUT_KEYS)
    for count in (3, 40):
        print(count, dipole(atoms_to_dict(count)).tolist())


if __name__ == "__main__":
    main()
