"""A library prints its progress between the lines, without ends of lines; an operator reads near a null pointer."""

import ctypes
import os
import threading

import torch

DONE = threading.Event()


def progress() -> None:
    """As progress bars of native libraries do: past Python, into the middle of what others print."""
    step = 0
    while not DONE.wait(0.0005):
        step += 1
        os.write(1, f"\rloading shard {step} [####    ] ".encode())


@torch.library.custom_op("fault::lookup", mutates_args=())
def lookup(x: torch.Tensor) -> torch.Tensor:
    print("[lookup] table at 0x8", end=" ", flush=True)
    ctypes.string_at(8, x.numel())
    return x.clone()


@lookup.register_fake
def _(x: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(x)


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(16, 16)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(torch.ops.fault.lookup(torch.tanh(self.layer(x))) + 1.0)


torch.manual_seed(0)
program = torch.export.export(Model(), (torch.randn(4, 16),))
path = torch._inductor.aoti_compile_and_package(program, package_path="chatty.pt2")
run = torch._inductor.aoti_load_package(path)
threading.Thread(target=progress, daemon=True).start()
DONE.wait(0.05)
run(torch.randn(4, 16))
DONE.set()
