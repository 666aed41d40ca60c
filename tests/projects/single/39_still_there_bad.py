"""The same in a project that also says it works with newer ones."""
import torch
from torch.export import Dim, export_for_training


def capture(model, example):
    return export_for_training(model, example, dynamic_shapes=({0: Dim.DYNAMIC},)).module()


if __name__ == "__main__":
    print(capture(torch.nn.ReLU(), (torch.ones(3, 2),))(torch.ones(5, 2)).shape)
