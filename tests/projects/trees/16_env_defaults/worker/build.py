import torch
from torch import nn

from . import env


class Translit(nn.Module):
    def __init__(self, alphabet=40, width=12):
        super().__init__()
        self.embed = nn.Embedding(alphabet, width)
        self.out = nn.Linear(width, alphabet)

    def forward(self, letters):
        return self.out(self.embed(letters)).argmax(-1)


def build():
    device = env.build_device()
    model = Translit().to(device).eval()
    letters = torch.randint(0, 40, (6, 20), device=device)
    words = torch.export.Dim("words", min=1, max=500)
    return torch._export.aot_compile(
        model,
        (letters,),
        dynamic_shapes={"letters": {0: words}},
        options={"aot_inductor.output_path": env.LIBRARY},
    )


if __name__ == "__main__":
    print(build())
