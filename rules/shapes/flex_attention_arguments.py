"""AOTI351."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Rule
from aoti_lint.rule.events import ControlCall, ControlFault, Exporting

from ._flex_attention import in_call, in_export

_RAISED = ("RuntimeError", "ValueError")
_FUNCTIONS = {
    "flex_attention": ("score_mod", "def score_mod(score, batch, head, q_idx, kv_idx)"),
    "create_block_mask": ("mask_mod", "def mask_mod(batch, head, q_idx, kv_idx)"),
}


class FlexAttentionArguments(Rule):
    """`flex_attention` is given a function of other parameters, or a mask for other lengths.

    What happens:
        The call raises: `failed to bind arguments when attempting to inline`, `score_mod() takes 3 positional arguments
        but 5 were given`, `Expected 4 or 5 positional args, got 3`, or `ValueError: block_mask was created for
        block_mask.shape=(1, 1, 128, 128) but got q_len=256 and kv_len=256`.

    Why:
        `score_mod` is called with the score, the batch, the head, and the places of query and key; `mask_mod` with the
        last four of these. A mask holds for as many queries and keys as it was made for, no fewer and no more.

    Bad:
        import torch
        from torch.nn.attention.flex_attention import flex_attention

        def relative(score, q_idx, kv_idx):
            return score + (q_idx - kv_idx)

        q = torch.randn(1, 2, 128, 16)
        torch.compile(flex_attention)(q, q, q, score_mod=relative)  # <- AOTI351

    Bad:
        import torch
        from torch.nn.attention.flex_attention import create_block_mask, flex_attention

        def causal(batch, head, q_idx, kv_idx):
            return q_idx >= kv_idx

        mask = create_block_mask(causal, None, None, 128, 128, device="cpu")
        q = torch.randn(1, 2, 256, 16)
        flex_attention(q, q, q, block_mask=mask)  # <- AOTI351

    Good:
        import torch
        from torch.nn.attention.flex_attention import create_block_mask, flex_attention

        def causal(batch, head, q_idx, kv_idx):
            return q_idx >= kv_idx

        q = torch.randn(1, 2, 256, 16)
        mask = create_block_mask(causal, None, None, q.shape[-2], q.shape[-2], device="cpu")
        flex_attention(q, q, q, block_mask=mask)

    How to debug:
        `print(block_mask.shape, query.shape, key.shape)` before the call.

    Sources:
        Run on torch 2.13, called and compiled (this project's tests). `torch/nn/attention/flex_attention.py` of release
        2.13.0, line 2371.
        https://docs.pytorch.org/docs/stable/nn.attention.flex_attention.html
    """

    code = "AOTI351"
    name = "flex-attention-arguments"
    onnx = True
    outcome = Outcome.RAISES_AT_EXPORT

    def on_export(self, facts: Facts, event: Exporting) -> Iterator[Diagnostic]:
        yield from in_export(self, facts, event, _said, _RAISED)

    def on_control_call(self, facts: Facts, event: ControlCall) -> Iterator[Diagnostic]:
        yield from in_call(self, facts, event, _said, (*_RAISED, "TypeError", "AssertionError"))


def _said(fault: ControlFault) -> tuple[str, str] | None:
    if fault.kind == "mask":
        return f"the mask is {fault.what}", "make the mask for the lengths of query and key, query.shape[-2] say"
    if fault.kind != "arguments" or fault.api not in _FUNCTIONS:
        return None
    name, wanted = _FUNCTIONS[fault.api]
    return f"{name} {fault.what}", f"write {wanted}"
