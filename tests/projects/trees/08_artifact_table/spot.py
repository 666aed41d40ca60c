import torch

from artifacts import TABLE, Target


def open_edge():
    """The library of the handheld devices."""
    artifact = TABLE["edge"]
    return artifact, torch._export.aot_load(artifact.library, Target.DATACENTER.value)


def main():
    artifact, keyword = open_edge()
    mel = torch.randn(4, artifact.width, device=Target.DATACENTER.value)
    print(keyword(mel).argmax(-1))


if __name__ == "__main__":
    main()
