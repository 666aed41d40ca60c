import torch

from engine import DEVICE, PACKAGE


def main():
    prune = torch._inductor.aoti_load_package(PACKAGE)
    for threshold in (0.0, 0.2):
        y = prune(torch.ones(30, 11, device=DEVICE), torch.tensor(threshold))
        print(threshold, tuple(y.shape))


if __name__ == "__main__":
    main()
