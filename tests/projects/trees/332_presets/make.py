import torch
from torch import nn

from presets import PRESETS


def make(preset):
    model = nn.Linear(7, 7).to(preset.device).eval()
    args = (torch.randn(preset.batch, 7, device=preset.device),)
    program = torch.export.export(model, args)
    torch._inductor.aot_compile(
        program.module(), args, options={"aot_inductor.output_path": preset.library}
    )


for preset in PRESETS.values():
    make(preset)
