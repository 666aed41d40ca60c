import torch
from torch.export import Dim

from encoder import Encoder, EncoderConfig

SERVED_LENGTH = 128
steps = Dim("steps", min=2, max=SERVED_LENGTH)
base = EncoderConfig()
for changes in ({"positions": "rotary"}, {"limit": SERVED_LENGTH}, {}):
    encoder = Encoder.from_config(base, **changes).eval()
    torch.export.export(encoder, (torch.randn(2, 10, base.width),), dynamic_shapes={"x": {1: steps}})
    print(changes, "exported")
