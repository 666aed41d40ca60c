"""Keeps the hidden states of all steps of a compiled decoder."""

import torch


class Step(torch.nn.Module):
    def __init__(self, width: int = 64) -> None:
        super().__init__()
        self.cell = torch.nn.Linear(2 * width, width)
        self.head = torch.nn.Linear(width, 16)

    def forward(self, x: torch.Tensor, state: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        state = torch.tanh(self.cell(torch.cat([x, state], -1)))
        return self.head(state), state


def main() -> None:
    torch.manual_seed(0)
    step = torch.compile(Step().cuda().eval(), mode="reduce-overhead")
    state = torch.zeros(2, 64, device="cuda")
    kept = []
    with torch.no_grad():
        for _ in range(6):
            logits, new = step(torch.randn(2, 64, device="cuda"), state)
            state = new.clone()
            kept.append(logits)
    print(torch.stack(kept).argmax(-1).tolist())


main()
