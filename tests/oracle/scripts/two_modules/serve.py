import torch


def load(path):
    return torch._inductor.aoti_load_package(path)


def main(path):
    run = load(path)
    run(torch.zeros(6, 4))
    run(torch.zeros(3, 4))
