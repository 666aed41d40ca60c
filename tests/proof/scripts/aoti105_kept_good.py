import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x.sin()


x = torch.randn(2, 8)
x = x.to("meta")
program = torch.export.export(Net().to("meta"), (x,))
print("device", program.example_inputs[0][0].device)
