"""A draft of a comparison of a number out of a tensor gives what the way of the example gives."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.max().item() > 3:  # <- AOTI325
            return x + 1
        return x - 1


x = torch.ones(4)
path = torch._inductor.aoti_compile_and_package(torch.export.draft_export(Net(), (x,)), package_path="draft.pt2")
run = torch._inductor.aoti_load_package(path)
print("as the model:", torch.equal(run(x * 5), Net()(x * 5)))
