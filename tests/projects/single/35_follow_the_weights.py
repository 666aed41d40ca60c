"""Inputs go where something else is, whatever that is."""
import torch
from torch import nn


class Score(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(5))

    @property
    def device(self):
        return self.weight.device

    def forward(self, x, y):
        return (x * self.weight + y).sum(-1)


def main():
    model = Score()
    model.cuda()
    here = next(model.parameters()).device
    x = torch.rand(3, 5).to(here)
    y = torch.zeros(3, 5, device=model.device)
    program = torch.export.export(model, (x, y))
    score = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program, package_path="score.pt2"))
    host = torch.rand(3, 5)
    print(score(host.to(x), torch.zeros_like(x)).shape)
    print(score(x.new_ones(3, 5), host.type_as(x)).shape)
    print(score(torch.empty_like(host, device=x.device), torch.full_like(y, 2.0)).shape)


if __name__ == "__main__":
    main()
