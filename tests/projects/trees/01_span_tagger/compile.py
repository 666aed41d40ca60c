"""Builds the tagger library that the annotation service opens."""
import torch
from torch import nn

from paths import EMBED, LABELS, TAGGER_LIB


class SpanTagger(nn.Module):
    def __init__(self, embed: int, labels: int) -> None:
        super().__init__()
        self.mix = nn.Linear(embed, embed)
        self.head = nn.Linear(embed, labels)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        return self.head(torch.tanh(self.mix(tokens))).log_softmax(-1)


def main() -> None:
    torch.manual_seed(7)
    TAGGER_LIB.parent.mkdir(parents=True, exist_ok=True)
    tagger = SpanTagger(EMBED, len(LABELS)).eval()
    length = torch.export.Dim("length", min=2, max=512)
    with torch.no_grad():
        torch._export.aot_compile(
            tagger,
            args=(torch.zeros(16, EMBED),),
            dynamic_shapes={"tokens": {0: length}},
            options={"aot_inductor.output_path": str(TAGGER_LIB)},
        )
    print(f"wrote {TAGGER_LIB.name}")


if __name__ == "__main__":
    main()
