"""A draft whose report is asked is used only where it has no faults."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x + 1
        return x - 1


x = torch.ones(2, 8)
program = torch.export.draft_export(Net(), (x,))
print("faults:", not program._report.successful())
if program._report.successful():
    torch.export.save(program, "net.pt2")
