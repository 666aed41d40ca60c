import torch

import opset  # noqa: F401


class Book(torch.nn.Module):
    def forward(self, accounts, amounts):
        work = accounts.clone()
        torch.ops.ledger34.post_(work, amounts)
        torch.ops.ledger34.clip_(work, 10.0)
        return torch.ops.ledger34.balance(work)


if __name__ == "__main__":
    n = torch.export.Dim("n", min=2, max=99)
    program = torch.export.export(Book(), (torch.rand(3, 4), torch.rand(3, 4)), dynamic_shapes=({0: n}, {0: n}))
    print(program.module()(torch.rand(8, 4), torch.rand(8, 4)).shape)
