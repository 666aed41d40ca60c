import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 8)

    def forward(self, x):
        return self.fc(x)


net, x = Net().eval(), torch.ones(2, 8)
program = torch.export.export(net, (x,))
net.half()  # <- AOTI715
print("cast", flush=True)
program.module()(x)
