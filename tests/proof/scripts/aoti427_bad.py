import torch

torch.library.define("proof::double427_", "(Tensor(a!) x) -> Tensor(a!)")  # <- AOTI427


@torch.library.impl("proof::double427_", "CompositeExplicitAutograd")
def double_(x):
    return x.mul_(2)


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.ops.proof.double427_(x.clone())


program = torch.export.export(Net(), (torch.ones(3),)).run_decompositions({})
print("result", program.module()(torch.ones(3)).tolist())
