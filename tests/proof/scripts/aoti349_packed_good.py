"""The padded sequences go through the layer, and what lies behind each length is masked."""

import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Encoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = torch.nn.GRU(3, 5, batch_first=True)

    def forward(self, x, lengths):
        inside = torch.arange(x.shape[1]) < lengths[:, None]
        return self.gru(x)[0] * inside[:, :, None]


model, x, lengths = Encoder().eval(), torch.randn(2, 4, 3), torch.tensor([4, 2])
packed = pack_padded_sequence(x, lengths, batch_first=True)
padded, _ = pad_packed_sequence(model.gru(packed)[0], batch_first=True)
print("same", torch.allclose(torch.export.export(model, (x, lengths)).module()(x, lengths), padded, atol=1e-6))
