import torch


class Scaled(torch.nn.Module):
    def forward(self, x):
        smallest = x.abs().min().item()
        if smallest < 0.5:  # <- AOTI517
            return x.clamp(min=0.5)
        return x


net = torch.compile(Scaled(), fullgraph=True, backend="eager")
net(torch.ones(3))
