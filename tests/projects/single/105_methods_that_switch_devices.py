"""A method moves the service; what another method sees depends on who ran before."""
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x.sum(-1)


class Service:
    def __init__(self):
        self.device = "cpu"
        self.run = self._build()

    def _build(self):
        ep = torch.export.export(Net().to(self.device), (torch.zeros(2, 3, device=self.device),))
        return torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(ep))

    def to(self, device):
        self.device = device
        self.run = self._build()
        return self

    def use_gpu(self):
        self.device = "cuda"
        self.run = self._build()

    def predict(self):
        return self.run(torch.zeros(2, 3, device=self.device))

    def predict_host(self):
        return self.run(torch.zeros(2, 3))


class Fixed(Service):
    def predict_host(self):
        return self.run(torch.zeros(2, 3).to(self.device))
