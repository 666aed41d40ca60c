"""One image, but the example is a batch of them."""
import torch
from torch import nn
from torch.export import Dim


class Gray(nn.Module):
    def forward(self, images):
        return images.mean(1, keepdim=True)


if __name__ == "__main__":
    image = torch.rand(3, 10, 10)
    n = Dim("n", min=1, max=64)
    for example in (torch.stack([image, image]), image.repeat(4, 1, 1, 1), image.expand(3, -1, -1, -1), image[None].tile(2, 1, 1, 1)):
        gray = torch.export.export(Gray(), (example,), dynamic_shapes={"images": {0: n}}).module()
        print(gray(image.unsqueeze(0)).shape)
