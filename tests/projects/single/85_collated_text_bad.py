from __future__ import annotations

import random
from functools import partial
from typing import NamedTuple

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

VOCAB = {c: i + 1 for i, c in enumerate("abcdefghijklmnopqrstuvwxyz ")}


class Batch(NamedTuple):
    ids: torch.Tensor
    labels: torch.Tensor


class Sentences(Dataset):
    texts = ["a quick brown fox", "jumps", "over the lazy dog", "again and again"]

    def __len__(self):
        return len(self.texts)

    def __getitem__(self, i):
        return torch.tensor([VOCAB[c] for c in self.texts[i]]), i % 2


def collate(rows, length: int = 32):
    ids = torch.zeros(len(rows), length, dtype=torch.long)
    for i, (row, _) in enumerate(rows):
        ids[i, : min(len(row), length)] = row[:length]
    return Batch(ids, torch.tensor([y for _, y in rows]))


class Bag(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.EmbeddingBag(len(VOCAB) + 1, 8, mode="mean")
        self.out = nn.Linear(8, 2)

    def forward(self, ids):
        return self.out(self.emb(ids))


def loader(length: int, batch_size: int = 2) -> DataLoader:
    return DataLoader(Sentences(), batch_size=batch_size, shuffle=True, collate_fn=partial(collate, length=length))


def main():
    random.seed(0)
    train = loader(32)
    first = next(iter(train))
    ep = torch.export.export(Bag().eval(), (first.ids,), dynamic_shapes={"ids": {0: torch.export.Dim("rows")}})
    run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(ep))
    for batch in train:
        print(run(batch.ids).argmax(-1), batch.labels)
    for batch in loader(48):
        print(run(batch.ids).argmax(-1))


if __name__ == "__main__":
    main()
