"""Batches are made on the host and moved one by one, in the three usual ways."""
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


def main(device="cuda"):
    late = Late().to(device).eval()
    example = [t.to(device) for t in next(batches(1))]
    program = torch.export.export(late, tuple(example))
    fn = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program, package_path="late.pt2"))
    for batch in batches(2):
        left, right = (t.to(device, non_blocking=True) for t in batch)
        print(fn(left, right).shape)
    for left, right in batches(1):
        print(fn(left.cuda(), right.cuda()).shape)
    print(fn(*[t.to(device) for t in next(batches(1))]).shape)


if __name__ == "__main__":
    main()
