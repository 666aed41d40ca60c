import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.l(x))


from torch.export import Dim


class Exporter:
    """Compiles and serves one model."""

    suffix = ".pt2"

    def __init__(self, model, device="cpu", **shapes):
        self.model = model.to(device).eval()
        self.device = device
        self.shapes = shapes or None
        self._run = None

    @classmethod
    def small(cls, **shapes):
        return cls(M(), **shapes)

    @staticmethod
    def example(rows):
        return torch.randn(rows, 4)

    @property
    def path(self):
        return "helper_" + self.device + self.suffix

    def compile(self, rows):
        ep = torch.export.export(self.model, (self.example(rows),), dynamic_shapes=self.shapes)
        return torch._inductor.aoti_compile_and_package(ep, package_path=self.path)

    def __enter__(self):
        self._run = torch._inductor.aoti_load_package(self.path)
        return self

    def __exit__(self, *_):
        self._run = None

    def __call__(self, *inputs):
        return self._run(*inputs)


class Other(Exporter):
    suffix = ".other.pt2"

    def compile(self, rows):
        return super().compile(rows * 2)


helper = Exporter.small(x={0: Dim("rows", max=64)})
helper.compile(4)
with helper as served:
    served(torch.randn(9, 4))
other = Other(M())
other.compile(3)
with other:
    other(torch.randn(6, 4))
