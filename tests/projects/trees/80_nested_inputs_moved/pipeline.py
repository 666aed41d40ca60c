"""Everything follows the encoder's device."""
import typing as t

import torch
from torch import nn

DEVICE = torch.device("cuda:0")


class Encoder(nn.Module):
    def __init__(self, d: int) -> None:
        super().__init__()
        self.emb = nn.EmbeddingBag(50, d)

    @property
    def device(self) -> torch.device:
        return next(self.parameters()).device

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return self.emb(ids)


class Head(nn.Module):
    def __init__(self, d: int, n: int) -> None:
        super().__init__()
        self.register_buffer("bias", torch.zeros(n))
        self.w = nn.Parameter(torch.randn(d, n))

    def forward(self, h):
        return h @ self.w + self.bias


class Pipeline(nn.Module):
    def __init__(self, d: int = 8, n: int = 3):
        super().__init__()
        self.encoder = Encoder(d)
        self.head = Head(d, n)

    def forward(self, ids):
        return self.head(self.encoder(ids))

    def dummy(self, n: int = 2) -> t.Dict[str, torch.Tensor]:
        return {"ids": torch.zeros(n, 4, dtype=torch.long, device=self.encoder.device)}


def to_device(obj, device):
    if torch.is_tensor(obj):
        return obj.to(device)
    if isinstance(obj, dict):
        return {k: to_device(v, device) for k, v in obj.items()}
    if isinstance(obj, (list, tuple)):
        return type(obj)(to_device(v, device) for v in obj)
    return obj


def export_pipeline(path: str) -> str:
    model = Pipeline().to(DEVICE).eval()
    kwargs = model.dummy()
    program = torch.export.export(model, (), kwargs, dynamic_shapes={"ids": {0: torch.export.Dim("n")}})
    return torch._inductor.aoti_compile_and_package(program, package_path=path)


def main() -> None:
    call = torch._inductor.aoti_load_package(export_pipeline("pipeline.pt2"))
    batches = [{"ids": torch.randint(50, (n, 4))} for n in (3, 9)]
    for batch in batches:
        moved = to_device(batch, DEVICE)
        print(call(**moved))
    print(call(**batches[0]))


if __name__ == "__main__":
    main()
