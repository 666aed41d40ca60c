import os

import torch

from settings import settings


class Tagger:
    def __init__(self, path):
        self.run = torch._inductor.aoti_load_package(path)

    def __call__(self, rows):
        return self.run(torch.as_tensor(rows)).argmax(-1).tolist()


if __name__ == "__main__":
    tagger = Tagger(os.path.join(settings.root, "tagger.pt2"))
    print(tagger([[0.5] * 30, [1.0] * 30]))
