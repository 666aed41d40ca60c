"""A distribution that does not check its arguments."""

import torch


class Policy(torch.nn.Module):
    def forward(self, x):
        return torch.distributions.Normal(x, x.exp(), validate_args=False).log_prob(x)


x = torch.randn(4)
print("same", torch.equal(torch.export.export(Policy(), (x,)).module()(x), Policy()(x)))
