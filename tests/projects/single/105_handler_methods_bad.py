"""TorchServe handler: initialize, preprocess, inference; the manifest decides nothing here."""
import torch
from ts.torch_handler.base_handler import BaseHandler


class Net(torch.nn.Module):
    def forward(self, x):
        return x.softmax(-1)


def compile_for(device, path="/tmp/ts.pt2"):
    x = torch.zeros(4, 10, device=device)
    ep = torch.export.export(Net(), (x,), dynamic_shapes={"x": {0: torch.export.Dim("n", max=128)}})
    return torch._inductor.aoti_compile_and_package(ep, package_path=path)


class Handler(BaseHandler):
    def __init__(self):
        super().__init__()
        self.model = None
        self.initialized = False

    def initialize(self, context):
        self.device = torch.device("cuda:0")
        self.model = torch._inductor.aoti_load_package(compile_for(self.device))
        self.initialized = True

    def preprocess(self, data):
        return torch.stack([torch.tensor(d["body"]) for d in data]).to(self.device)

    def inference(self, x):
        return self.model(x)

    def warm_up(self):
        self.model(torch.zeros(3, 10, device=self.device))

    def explain(self, x):
        self.model(torch.zeros(3, 10))
        self.model(torch.zeros(3, 12, device=self.device))
