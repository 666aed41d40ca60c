"""Nothing here is PyTorch's exporter, though every name says so."""
from dataclasses import dataclass, field

import torch


@dataclass
class Dim:
    name: str
    min: int = 0
    max: int = 1


@dataclass
class _Inductor:
    """Stands for the power electronics the module is named after."""

    henry: float = 1e-3
    log: list = field(default_factory=list)

    def aot_load(self, waveform, device):
        self.log.append(device)
        return lambda current: current * self.henry

    def aoti_compile_and_package(self, program, package_path):
        self.log.append(package_path)
        return package_path


class Bench:
    _inductor = _Inductor()

    @staticmethod
    def export(coil, args, dynamic_shapes=None):
        return coil, args, dynamic_shapes


def custom_op(name, mutates_args=()):
    return lambda fn: fn


@custom_op("bench::ring", mutates_args=())
def ring(x: torch.Tensor) -> torch.Tensor:
    return torch.fft.fft(x).abs()


if __name__ == "__main__":
    bench = Bench()
    coil = bench.export("coil", (torch.ones(1, 4),), dynamic_shapes={0: Dim("turns")})
    bench._inductor.aoti_compile_and_package(coil, package_path="coil")
    step = bench._inductor.aot_load("coil.so", "cuda")
    print(ring(step(torch.ones(8))).shape, bench._inductor.log)
