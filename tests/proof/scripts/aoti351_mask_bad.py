import torch
from torch.nn.attention.flex_attention import create_block_mask, flex_attention


def causal(batch, head, q_idx, kv_idx):
    return q_idx >= kv_idx


mask = create_block_mask(causal, None, None, 128, 128, device="cpu")
q = torch.randn(1, 2, 256, 16)
print("made")
flex_attention(q, q, q, block_mask=mask)  # <- AOTI351
