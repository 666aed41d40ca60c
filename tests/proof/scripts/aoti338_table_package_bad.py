"""A package is called with more positions than its table has."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.positions = torch.nn.Embedding(50, 8), torch.nn.Embedding(16, 8)

    def forward(self, tokens):
        return self.words(tokens) + self.positions(torch.arange(tokens.shape[1]))


length = torch.export.Dim("length")
program = torch.export.export(Net(), (torch.randint(0, 50, (2, 6)),), dynamic_shapes={"tokens": {1: length}})
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program))
print("shape", tuple(run(torch.randint(0, 50, (2, 16))).shape))
run(torch.randint(0, 50, (2, 17)))  # <- AOTI338
