"""A zero-dimensional temperature lives on the host, at export and at every call."""
import torch
from torch import nn


class Sample(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(10, 20)

    def forward(self, hidden, temperature):
        return (self.head(hidden) / temperature).softmax(-1)


@torch.no_grad()
def main():
    hidden = torch.randn(3, 10, device="cuda")
    program = torch.export.export(Sample().cuda().eval(), (hidden, torch.tensor(0.7)))
    sample = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program, package_path="sample.pt2"))
    for value in (0.2, 1.0):
        print(value, sample(torch.randn(3, 10, device="cuda"), torch.tensor(value)).max().item())


if __name__ == "__main__":
    main()
