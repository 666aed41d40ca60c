"""Sequences are packed in the forward of an export."""

import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Encoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = torch.nn.GRU(3, 5, batch_first=True)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)  # <- AOTI349
        return pad_packed_sequence(self.gru(packed)[0], batch_first=True)[0]


torch.export.export(Encoder().eval(), (torch.randn(2, 4, 3), torch.tensor([4, 2])))
