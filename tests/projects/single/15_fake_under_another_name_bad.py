"""A fake is there, for an operator of nearly the same name."""
import torch
from torch.library import custom_op
from torch.library import register_fake as shape_of

NS = "optics15"


@custom_op(NS + "::refract", mutates_args=())
def refract(rays: torch.Tensor, index: float) -> torch.Tensor:
    return torch.asin((rays.sin() / index).clamp(-1, 1))


@custom_op(f"{NS}::reflect", mutates_args=())
def reflect(rays: torch.Tensor) -> torch.Tensor:
    return rays.neg()


class Lens(torch.nn.Module):
    def forward(self, rays):
        return reflect(refract(rays, 1.5))


@shape_of("optics15::reflect")
def _(rays):
    return rays.new_empty(rays.shape)


if __name__ == "__main__":
    program = torch.export.export(Lens(), (torch.rand(4, 3),), dynamic_shapes=({0: torch.export.Dim("n")},))
    print(program.module()(torch.rand(9, 3)).shape)
