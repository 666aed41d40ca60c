import collections
import dataclasses
import io
import typing

import torch


@dataclasses.dataclass
class Tracks:
    boxes: torch.Tensor


class Boxes(typing.NamedTuple):
    corners: torch.Tensor


torch.export.register_dataclass(Tracks, serialized_type_name="Tracks")
torch.utils._pytree._register_namedtuple(Boxes, serialized_type_name="Boxes")


class Net(torch.nn.Module):
    def forward(self, tracks):
        values, indices = tracks.boxes.max(1)
        return collections.OrderedDict(values=values, all=tuple(tracks.boxes.sort())), Boxes(indices)


program = torch.export.export(Net(), (Tracks(torch.ones(2, 4)),))
file = io.BytesIO()
torch.export.save(program, file)
file.seek(0)
found = torch.export.load(file).module()(Tracks(torch.ones(2, 4)))
print("sums", found[0]["values"].sum().item(), found[1].corners.sum().item())
