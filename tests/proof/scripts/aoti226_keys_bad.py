"""A package of a forward that returns a dict is unpacked: the names get the keys."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return {"logits": x * 2, "hidden": x}


program = torch.export.export(Net(), (torch.randn(2, 4),))
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program))
logits, hidden = run(torch.randn(2, 4))  # <- AOTI226
print("logits are", logits)
