import torch
from torch.export.passes import move_to_device_pass

from . import PACKAGE, PROGRAM


def main():
    program = move_to_device_pass(torch.export.load(PROGRAM), "cuda:0")
    torch._inductor.aoti_compile_and_package(program, package_path=PACKAGE)


if __name__ == "__main__":
    main()
