import torch
import typer

from app.settings import EXPORT

app = typer.Typer()


class Head(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(EXPORT.width, 2)

    def forward(self, features):
        return self.fc(features)


@app.command()
def export(out: str = "head.pt2"):
    example = torch.randn(EXPORT.batch, EXPORT.width)
    shapes = {"features": {0: torch.export.Dim("batch", max=128)}} if EXPORT.dynamic else None
    program = torch.export.export(Head().eval(), (example,), dynamic_shapes=shapes)
    torch._inductor.aoti_compile_and_package(program, package_path=out)


@app.command()
def info():
    typer.echo(f"torch {torch.__version__}, width {EXPORT.width}")


if __name__ == "__main__":
    app()
