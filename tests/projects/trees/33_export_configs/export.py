import torch

from vision import Patches, PatchesConfig


def main():
    program = PatchesConfig(Patches()).export()
    torch._inductor.aoti_compile_and_package(program, package_path="patches.pt2")


if __name__ == "__main__":
    main()
