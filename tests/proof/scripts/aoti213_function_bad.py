import torch

torch.library.define("mylib::negated", "(Tensor x) -> Tensor")


def negated(x):
    return -x


torch.library.impl("mylib::negated", negated, "cpu")  # <- AOTI213
