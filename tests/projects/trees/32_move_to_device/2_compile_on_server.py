import torch
from torch.export.passes import move_to_device_pass

if __name__ == "__main__":
    program = torch.export.load("depth.ep.pt2")
    program = move_to_device_pass(program, "cuda")
    torch._inductor.aoti_compile_and_package(program, package_path="depth.aoti.pt2")
