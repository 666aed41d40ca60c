import torch
from torch import nn

from policy import Precision


def build(model, example, precision):
    policy = Precision(precision)
    with policy.context():
        return torch.export.export(model, example)


model, example = nn.Linear(6, 6).eval(), (torch.randn(2, 6),)
build(model, example, "fp32")
print(build(model, example, "bf16").module()(*example).dtype)
print(build(model.to(torch.bfloat16), (example[0].to(torch.bfloat16),), "fp32").module()(example[0].bfloat16()).dtype)
