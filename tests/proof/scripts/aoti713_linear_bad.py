import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.nn.Linear(8, 4)(x)  # <- AOTI713


x = torch.ones(2, 8)
program = torch.export.export(Net().eval(), (x,))
module = program.module()
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program))
print("the same:", torch.equal(module(x), module(x)), torch.equal(run(x), run(x)))
