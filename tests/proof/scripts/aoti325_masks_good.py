import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
        self.layer = layer
        self.encoder = nn.TransformerEncoder(layer, 1)
        self.both = nn.Transformer(8, 2, 1, 1, 16, batch_first=True)

    def forward(self, x, mask):
        x = self.layer(x, src_mask=mask)
        x = self.encoder(x, mask=mask.expand(4, 5, 5))
        x = self.encoder(x, mask, None, False)
        x = self.encoder(x, src_key_padding_mask=torch.zeros(2, 5, dtype=torch.bool))
        return self.both(x, x, tgt_mask=mask, tgt_is_causal=True)


causal = torch.full((5, 5), float("-inf")).triu(1)
program = torch.export.export(Net().eval(), (torch.randn(2, 5, 8), causal))
print(len(program.graph.nodes) > 1, "exported")
