import torch

from geokit import CentroidShift


def main():
    count = torch.export.Dim("count", min=1, max=10_000)
    program = torch.export.export(CentroidShift().eval(), (torch.rand(6, 5, 2),), dynamic_shapes=({0: count},))
    path = torch._inductor.aoti_compile_and_package(program, package_path="shift.pt2")
    shift = torch._inductor.aoti_load_package(path)
    print(shift(torch.rand(40, 5, 2)).shape)


if __name__ == "__main__":
    main()
