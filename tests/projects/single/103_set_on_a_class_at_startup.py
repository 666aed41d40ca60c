"""A lazily built singleton per device in class attributes."""
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x.sqrt()


class Service:
    _instances: dict = {}
    default = None

    def __init__(self, device):
        self.device = torch.device(device)
        ep = torch.export.export(Net(), (torch.ones(4, 4, device=self.device),))
        self.runner = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(ep))

    @classmethod
    def get(cls, device="cuda"):
        if device not in cls._instances:
            cls._instances[device] = cls(device)
        return cls._instances[device]

    def __call__(self, x):
        return self.runner(x.to(self.device))

    def raw(self, x):
        return self.runner(x)


def on_startup():
    Service.default = Service("cuda")


def handle(body):
    return Service.default(torch.ones(4, 4))


def handle_raw(body):
    return Service.default.raw(torch.ones(4, 4, device="cuda"))


def handle_get(body):
    return Service.get("cpu")(torch.ones(4, 4))


print(Service.get()(torch.ones(4, 4)))
print(Service.get("cpu").raw(torch.ones(4, 4)))
