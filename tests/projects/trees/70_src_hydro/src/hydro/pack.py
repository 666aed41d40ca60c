import torch

PATH = "runoff.pt2"
WEEKS = 4
EXAMPLE_DAYS = WEEKS * 7


def main():
    from . import Runoff, spec_for

    rain = torch.rand(3, EXAMPLE_DAYS, 2)
    program = torch.export.export(Runoff().eval(), (rain,), dynamic_shapes=spec_for(rain={0: "basins"}))
    torch._inductor.aoti_compile_and_package(program, package_path=PATH)


if __name__ == "__main__":
    main()
