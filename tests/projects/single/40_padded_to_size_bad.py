"""The padding is written for the last chunk and forgotten for the first call."""
import torch
import torch.nn.functional as F
from torch import nn

ROWS = 8


class Vote(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)

    def forward(self, x):
        return self.fc(x).argmax(-1)


def fixed(x):
    return F.pad(x, (0, 0, 0, ROWS - x.shape[0]))


if __name__ == "__main__":
    program = torch.export.export(Vote().eval(), (torch.zeros(ROWS, 3),))
    vote = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program, package_path="vote.pt2"))
    print(vote(fixed(torch.rand(5, 3)))[:5].shape)
    print("twelve rows ->", vote(torch.rand(12, 3)).shape)
