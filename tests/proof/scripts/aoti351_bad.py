import torch
from torch.nn.attention.flex_attention import flex_attention


def relative(score, q_idx, kv_idx):
    return score + (q_idx - kv_idx)


q = torch.randn(1, 2, 128, 16)
print("made")
flex_attention(q, q, q, score_mod=relative)  # <- AOTI351
