import torch
from torch.nn.attention.flex_attention import create_block_mask, flex_attention


def causal(batch, head, q_idx, kv_idx):
    return q_idx >= kv_idx


def relative(score, batch, head, q_idx, kv_idx):
    return score + (q_idx - kv_idx)


q = torch.randn(1, 2, 256, 16)
mask = create_block_mask(causal, None, None, q.shape[-2], q.shape[-2], device="cpu")
print("shape", tuple(flex_attention(q, q, q, score_mod=relative, block_mask=mask).shape))
