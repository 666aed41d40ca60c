"""`.cuda()` moves a module in place, and a tensor not at all unless it is kept."""
import torch
from torch import nn


class Score(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(5))

    def forward(self, x, y):
        return (x * self.weight + y).sum(-1)


def main():
    model = Score()
    model.cuda()
    x = torch.rand(3, 5).cuda()
    program = torch.export.export(model, (x, torch.zeros_like(x)))
    score = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program, package_path="score.pt2"))
    host = torch.rand(3, 5)
    host.cuda()
    print(score(x, host).shape)


if __name__ == "__main__":
    main()
