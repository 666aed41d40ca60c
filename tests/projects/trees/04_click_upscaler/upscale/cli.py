"""upscale export / upscale predict"""
import click
import torch

from .net import Upscale

DEFAULT_PACKAGE = "upscale.pt2"


@click.group()
def cli() -> None:
    """Image upscaling with a compiled network."""


@cli.command()
@click.option("--package", default=DEFAULT_PACKAGE, show_default=True)
@click.option("--size", default=48, type=int)
def export(package: str, size: int) -> None:
    """Compile the network for the GPU box."""
    model = Upscale().cuda().eval()
    image = torch.rand(2, 3, size, size, device="cuda")
    batch = torch.export.Dim("batch", min=1, max=16)
    program = torch.export.export(model, (image,), dynamic_shapes=({0: batch},))
    torch._inductor.aoti_compile_and_package(program, package_path=package)
    click.echo(f"wrote {package}")


@cli.command()
@click.argument("count", default=4)
@click.option("--package", default=DEFAULT_PACKAGE, show_default=True)
@click.option("--size", default=48, type=int)
def predict(count: int, package: str, size: int) -> None:
    """Upscale a few random images."""
    network = torch._inductor.aoti_load_package(package)
    images = torch.rand(count, 3, size, size)
    click.echo(tuple(network(images).shape))


if __name__ == "__main__":
    cli()
