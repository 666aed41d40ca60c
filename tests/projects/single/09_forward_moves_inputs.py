"""The model takes host tensors and moves them itself: host inputs are right."""
import torch
from torch import nn


class Ingest(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(9, 9)

    def forward(self, rows):
        rows = rows.to("cuda", non_blocking=True)
        return self.fc(rows).cpu()


def main():
    model = Ingest().to("cuda").eval()
    rows = torch.randn(6, 9)
    program = torch.export.export(model, (rows,), dynamic_shapes={"rows": {0: torch.export.Dim("n", min=2, max=64)}})
    path = torch._inductor.aoti_compile_and_package(program, package_path="ingest.pt2")
    ingest = torch._inductor.aoti_load_package(path)
    print(ingest(torch.randn(20, 9)).shape)


if __name__ == "__main__":
    main()
