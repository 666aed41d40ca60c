import torch


@torch.library.custom_op("mylib::upto", mutates_args=())
def upto(x: torch.Tensor) -> torch.Tensor:
    return torch.zeros(int(x.max().item()), dtype=x.dtype)


@upto.register_fake
def _(x):
    return x.new_empty((x.max().item(),))


class Net(torch.nn.Module):
    def forward(self, x):
        return upto(x)


program = torch.export.export(Net(), (torch.tensor([3, 2]),))
print("nodes", "mylib.upto.default" in str(program))
