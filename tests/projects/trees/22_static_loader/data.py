import torch
from torch.utils.data import DataLoader, Dataset

BATCH = 16


class Pulses(Dataset):
    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        return torch.sin(torch.arange(40) * (index + 1) / 10.0), index % 3


def loader(count):
    return DataLoader(Pulses(count), batch_size=BATCH, drop_last=True, shuffle=False)
