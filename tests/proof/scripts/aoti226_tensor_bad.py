"""An exported forward returns one tensor of four rows: an entry by name, and two names."""

import torch

run = torch.export.export(torch.nn.Linear(8, 2), (torch.randn(4, 8),)).module()
first, second, third, fourth = run(torch.randn(4, 8))
try:
    run(torch.randn(4, 8))["logits"]
except IndexError as error:
    print("caught", error)
logits, hidden = run(torch.randn(4, 8))  # <- AOTI226
