import torch


def batches(count, rows=4):
    for _ in range(count):
        yield {"dense": torch.randn(rows, 13), "sparse": torch.randint(0, 100, (rows, 6))}


def to_device(batch, device):
    return {name: tensor.to(device, non_blocking=True) for name, tensor in batch.items()}
