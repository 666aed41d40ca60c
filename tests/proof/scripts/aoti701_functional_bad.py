import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def forward(self, x):
        return F.dropout(x, 0.5)


x = torch.ones(4, 64)
program = torch.export.export(Net().eval(), (x,))  # <- AOTI701
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program))
print("two runs agree", torch.equal(run(x), run(x)))
