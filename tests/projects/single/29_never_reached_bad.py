"""The switch was turned on."""
import torch

LEGACY = True


def main():
    if LEGACY:
        return torch.export.export_for_inference(torch.nn.ReLU(), (torch.ones(2),))
    return torch.export.export(torch.nn.ReLU(), (torch.ones(2),))


if __name__ == "__main__":
    print(len(main().graph.nodes))
