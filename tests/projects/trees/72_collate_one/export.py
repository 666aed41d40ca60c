import torch
from torch import nn

from data import Recipes, collate


class Taste(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(6, 3)

    def forward(self, amounts, mask):
        return self.proj(torch.where(mask, amounts, 0.0))


if __name__ == "__main__":
    recipes = Recipes()
    sample = collate([recipes[0]])
    batch = torch.export.Dim("batch")
    program = torch.export.export(
        Taste().eval(),
        (),
        kwargs=sample,
        dynamic_shapes={key: {0: batch} for key in sample},
    )
    print(program.module()(**collate([recipes[i] for i in range(5)])).shape)
