import torch

from loaders import library, load_on_gpu


def loudest(echo, pings):
    return echo(pings).flatten(1).argmax(1)


def main():
    echo = load_on_gpu(library("echo"))
    pings = torch.randn(4, 1, 100, device="cuda")
    print(loudest(echo, pings).tolist())


if __name__ == "__main__":
    main()
