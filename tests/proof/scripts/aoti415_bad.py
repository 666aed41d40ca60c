import torch

library = torch.library.Library("proof", "DEF")
library.define("rows(Tensor x, int n) -> Tensor")  # <- AOTI415
library.impl("rows", lambda x, n: x.unsqueeze(0).repeat(n, 1), "CPU")
library.impl("rows", lambda x, n: x.new_empty(n, x.shape[0]), "Meta")


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.prior = torch.nn.Parameter(torch.zeros(5))

    def forward(self, scores):
        rows = scores.size(0)
        return scores + torch.ops.proof.rows(self.prior, rows)


batch = torch.export.Dim("batch", min=2, max=64)
program = torch.export.export(Net(), (torch.randn(6, 5),), dynamic_shapes={"scores": {0: batch}})
print("shape", tuple(program.module()(torch.randn(9, 5)).shape))
