import torch
from torch import nn

from text import Tokenizer


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(100, 8)

    def forward(self, input_ids, attention_mask):
        hidden = self.embed(input_ids) * attention_mask.unsqueeze(-1)
        return nn.functional.normalize(hidden.sum(1), dim=-1)


def main():
    batch = Tokenizer()(["a first sentence", "another"])
    b, s = torch.export.Dim("b", min=1, max=64), torch.export.Dim("s", min=1, max=512)
    program = torch.export.export(
        Encoder().eval(),
        (),
        kwargs=dict(batch),
        dynamic_shapes={name: {0: b, 1: s} for name in batch},
    )
    torch._inductor.aoti_compile_and_package(program, package_path="encoder.pt2")


if __name__ == "__main__":
    main()
