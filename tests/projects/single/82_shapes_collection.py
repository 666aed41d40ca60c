import torch
from torch.export import Dim, ShapesCollection, export


class Pair(torch.nn.Module):
    def forward(self, batch, scale):
        return {"out": batch["a"] * scale + batch["b"].sum(-1, keepdim=True)}


def make(n: int, m: int):
    return {"a": torch.randn(n, 4), "b": torch.randn(n, m)}, torch.tensor(1.5)


def build():
    args = make(3, 5)
    shapes = ShapesCollection()
    rows = Dim("rows", max=64)
    for name in ("a", "b"):
        shapes[args[0][name]] = {0: rows}
    ep = export(Pair(), args, dynamic_shapes=shapes)
    return torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(ep))


def main():
    run = build()
    print(run(*make(3, 5))["out"].shape)
    print(run(*make(9, 5))["out"].shape)


if __name__ == "__main__":
    main()
