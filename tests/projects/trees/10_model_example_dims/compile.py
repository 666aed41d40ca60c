import torch

import zoo


def compile_to(path, factory):
    model, example, dims = factory()
    program = torch.export.export(model, example, dynamic_shapes=dims)
    return torch._inductor.aoti_compile_and_package(program, package_path=path)


if __name__ == "__main__":
    compile_to("two_tower.pt2", zoo.two_tower)
