import torch
from torch import nn

from td import TensorBag


class Fuse(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 8), nn.Linear(6, 8)

    def forward(self, audio, video):
        return self.a(audio) + self.b(video)


def sample() -> TensorBag:
    return TensorBag(audio=torch.randn(4), video=torch.randn(6))


def main(device: str = "cuda") -> None:
    model = Fuse().eval().to(device)
    example = TensorBag.collate([sample() for _ in range(3)]).to(device)
    n = torch.export.Dim("n", max=100)
    program = torch.export.export(model, (), {**example}, dynamic_shapes={k: {0: n} for k in example})
    run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program))
    batch = TensorBag.collate([sample() for _ in range(7)])
    print(run(**batch.to(example.device)).shape)
    print(run(**batch).shape)


if __name__ == "__main__":
    main()
