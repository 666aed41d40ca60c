"""An operator that is only called eagerly: the exported model does not use it."""
import torch
from torch.library import custom_op


@custom_op("logs41::histogram", mutates_args=())
def histogram(x: torch.Tensor) -> torch.Tensor:
    return torch.histc(x.float(), bins=10)


class Net(torch.nn.Module):
    def forward(self, x):
        return x.sigmoid()


if __name__ == "__main__":
    net = torch.export.export(Net(), (torch.rand(4, 4),)).module()
    print(histogram(net(torch.rand(4, 4))).sum().item())
