import dataclasses
import io

import torch


@dataclasses.dataclass
class Tracks:
    boxes: torch.Tensor


torch.export.register_dataclass(Tracks)


class Net(torch.nn.Module):
    def forward(self, tracks):
        return tracks.boxes * 2


program = torch.export.export(Net(), (Tracks(torch.randn(2, 4)),))
torch.export.save(program, io.BytesIO())  # <- AOTI222
