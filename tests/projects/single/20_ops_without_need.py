"""Four operators without a fake of their own, and none needs one."""
import torch
from torch.library import Library, custom_op

lib = Library("audio20", "DEF")
lib.define("fade_(Tensor(a!) wave, float by) -> ()")
lib.define("mono(Tensor wave) -> Tensor")
lib.define("peak(Tensor wave) -> Tensor")


def fade_(wave, by):
    wave.mul_(by)


lib.impl("fade_", fade_, "CPU")


@torch.library.impl(lib, "mono", "CompositeExplicitAutograd")
def mono(wave):
    return wave.mean(0)


@torch.library.impl("audio20::peak", "default")
def peak(wave):
    return wave.abs().amax()


@custom_op("audio20::gate_", mutates_args=("wave",))
def gate_(wave: torch.Tensor, level: float) -> None:
    wave.masked_fill_(wave.abs() < level, 0)


class Chain(torch.nn.Module):
    def forward(self, wave):
        wave = wave.clone()
        gate_(wave, 0.1)
        torch.ops.audio20.fade_(wave, 0.5)
        return torch.ops.audio20.mono(wave) / torch.ops.audio20.peak(wave)


if __name__ == "__main__":
    program = torch.export.export(Chain(), (torch.rand(2, 30),))
    print(program.module()(torch.rand(2, 30)).shape)
