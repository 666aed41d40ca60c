import torch
from torch.utils.data import DataLoader, TensorDataset


def loader(count=50, batch=8, drop_last=True):
    return DataLoader(TensorDataset(torch.randn(count, 7), torch.zeros(count)), batch_size=batch, drop_last=drop_last)
