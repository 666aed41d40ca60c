"""One image, unsqueezed: a batch of one as the example of a dynamic batch."""
import torch
from torch import nn
from torch.export import Dim


class Gray(nn.Module):
    def forward(self, images):
        return images.mean(1, keepdim=True)


def preprocess(image):
    image = (image - image.mean()) / image.std()
    return image.unsqueeze(0)


if __name__ == "__main__":
    example = preprocess(torch.rand(3, 10, 10))
    n = Dim("n", min=1, max=64)
    gray = torch.export.export(Gray(), (example,), dynamic_shapes={"images": {0: n}}).module()
    print(gray(torch.rand(5, 3, 10, 10)).shape)
