"""Only the length varies, and only the length is dynamic."""
import torch
from torch import nn


class Conv(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(2, 3, 3, padding=1)

    def forward(self, signal, gain):
        return self.conv(signal) * gain[:, None, None]


if __name__ == "__main__":
    length = torch.export.Dim("length", min=8, max=4000)
    example = {"signal": torch.rand(4, 2, 16), "gain": torch.rand(4)}
    program = torch.export.export(Conv().eval(), (), kwargs=example, dynamic_shapes={"signal": {2: length}, "gain": None})
    conv = program.module()
    for n in (8, 100):
        print(conv(signal=torch.rand(4, 2, n), gain=example["gain"]).shape)
