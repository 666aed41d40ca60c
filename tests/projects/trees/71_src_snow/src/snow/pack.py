import torch

from . import BATCH, SnowDepth


def where():
    from pathlib import Path

    return (Path(__file__).resolve().parents[2] / "snow").with_suffix(".pt2").as_posix()


def main():
    cells = torch.rand(BATCH, 9)
    auto = torch.export.Dim.AUTO
    program = torch.export.export(SnowDepth(2.0).eval(), (cells,), dynamic_shapes=[{0: auto, 1: torch.export.Dim.STATIC}])
    torch._inductor.aoti_compile_and_package(program, package_path=where())


if __name__ == "__main__":
    main()
