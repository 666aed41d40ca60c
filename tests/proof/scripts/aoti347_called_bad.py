import torch
from torch.nn.attention.flex_attention import flex_attention

query = torch.randn(1, 2, 32, 16, requires_grad=True)
key, value = torch.randn(1, 2, 32, 16), torch.randn(1, 2, 32, 16)
flex_attention(query, key, value)  # <- AOTI347
