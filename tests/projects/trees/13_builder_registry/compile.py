import torch

import models  # noqa: F401  (fills the registry)
from registry import BUILDERS, available


def package_name(name):
    return "./{}.pt2".format(name)


def main():
    for name in available():
        model, example, dims = BUILDERS[name]()
        program = torch.export.export(model, example, dynamic_shapes=dims)
        torch._inductor.aoti_compile_and_package(program, package_path=package_name(name))


if __name__ == "__main__":
    main()
