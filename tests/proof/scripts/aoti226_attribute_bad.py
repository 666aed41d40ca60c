"""An attribute is read of a dict."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return {"logits": x * 2, "hidden": x}


program = torch.export.export(Net(), (torch.randn(2, 4),))
print(program.module()(torch.randn(2, 4)).logits)  # <- AOTI226
