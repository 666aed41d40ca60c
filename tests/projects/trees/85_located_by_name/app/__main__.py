import sys

import torch

from .factory import build, example_for, locate

SPECS = {"text": "app.models:TextNet", "image": "app.models.image:ImageNet"}


def main(argv=None) -> int:
    names = (argv if argv is not None else sys.argv[1:]) or list(SPECS)
    for name in names:
        run = torch._inductor.aoti_load_package(build(SPECS[name]))
        cls = locate(SPECS[name])
        for batch in (1, 7):
            print(name, run(example_for(cls, batch)).shape)
    image = torch._inductor.aoti_load_package("ImageNet.pt2")
    print(image(torch.zeros(3, 3, 20, 20)).shape)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
