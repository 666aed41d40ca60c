from pathlib import Path
from typing import Optional

import torch
import typer

from .model import WindCast
from .settings import Settings

app = typer.Typer(add_completion=False)


def _settings(workdir: Path, device: Optional[str]) -> Settings:
    return Settings(workdir=workdir, device=device) if device else Settings(workdir=workdir)


@app.command()
def build(workdir: Path = Path("build"), device: Optional[str] = typer.Option(None)) -> None:
    settings = _settings(workdir, device)
    settings.workdir.mkdir(exist_ok=True)
    model = WindCast(settings.horizon).to(settings.device).eval()
    history = torch.randn(4, 10, device=settings.device)
    sites = torch.export.Dim("sites", min=1, max=2048)
    program = torch.export.export(model, (history,), dynamic_shapes={"history": {0: sites}})
    torch._inductor.aoti_compile_and_package(program, package_path=settings.package)
    typer.echo(settings.package)


@app.command()
def forecast(sites: int = 11, workdir: Path = Path("build"), device: Optional[str] = typer.Option(None)) -> None:
    settings = _settings(workdir, device)
    run = torch._inductor.aoti_load_package(settings.package)
    history = torch.randn(sites, 10).to(settings.device)
    typer.echo(str(tuple(run(history).shape)))


if __name__ == "__main__":
    app()
