"""A distribution checks its arguments in the forward of an export."""

import torch


class Policy(torch.nn.Module):
    def forward(self, x):
        return torch.distributions.Normal(x, x.exp()).log_prob(x)  # <- AOTI349


torch.export.export(Policy(), (torch.randn(4),))
