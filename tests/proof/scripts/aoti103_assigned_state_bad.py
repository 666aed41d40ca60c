import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.ones(8))

    def forward(self, x):
        return x * self.scale  # <- AOTI103


torch.save(Net().state_dict(), "net.pt")
net = Net().to("meta")
net.load_state_dict(torch.load("net.pt", map_location="cpu"), assign=True)
print("scale", net.scale.device, flush=True)
torch.export.export(net, (torch.randn(2, 8, device="meta"),))
