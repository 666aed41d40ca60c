"""mark_unbacked is read by the strict tracer; without strict=True the row of the example stays."""
import torch
from torch.export import export


class Clip(torch.nn.Module):
    def forward(self, x):
        return x.clamp(-1, 1)


if __name__ == "__main__":
    x = torch.rand(1, 3)
    torch._dynamo.decorators.mark_unbacked(x, 0)
    clip = export(Clip(), (x,)).module()
    print(clip(torch.rand(6, 3)).shape)
