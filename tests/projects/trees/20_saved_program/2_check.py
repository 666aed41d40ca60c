"""Eager check of the saved program before it is compiled elsewhere."""
import torch


def main():
    program = torch.export.load("stem.ep.pt2")
    stem = program.module()
    for batch in (2, 4):
        image = torch.rand(batch, 3, 20, 20)
        print(batch, stem(image).shape)


if __name__ == "__main__":
    main()
