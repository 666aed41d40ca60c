import torch


class Net(torch.nn.Module):
    def __init__(self, change):
        super().__init__()
        self.change = change

    def forward(self, x):
        return self.change(x)


def export(name, change, dim, example=33, index=0):
    sizes = [example, 4, 8] if index == 0 else [4, example, 8]
    torch.export.export(Net(change), (torch.randn(*sizes),), dynamic_shapes=({index: dim},))
    print(name)


export("a range", lambda x: x.view(4, -1), torch.export.Dim("batch", min=5, max=7), 6)
export("left open", lambda x: x.view(4, -1), torch.export.Dim.DYNAMIC)
export("last", lambda x: x.view(4, -1), torch.export.Dim("batch"), index=1)
export("its parts", lambda x: x.view(2, 2, -1), torch.export.Dim("batch"), index=1)
export("joined", lambda x: x.flatten(0, 1), torch.export.Dim("batch"))
export("rows", lambda x: x.view(-1, 8), torch.export.Dim("batch"))
export("split later", lambda x: x.view(-1, 2, 16), torch.export.Dim("batch"))
