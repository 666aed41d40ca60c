"""Of the two tensors of a batch, one is moved."""
import torch
from torch import nn


class Late(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(3, 5), nn.Linear(2, 5)

    def forward(self, left, right):
        return self.a(left) * self.b(right)


def batches(count):
    for _ in range(count):
        yield torch.rand(8, 3), torch.rand(8, 2)


def main():
    late = Late().to("cuda").eval()
    left, right = next(batches(1))
    program = torch.export.export(late, (left.cuda(), right.cuda()))
    fn = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program, package_path="late.pt2"))
    for left, right in batches(2):
        left = left.to("cuda")
        print(fn(left, right).shape)


if __name__ == "__main__":
    main()
