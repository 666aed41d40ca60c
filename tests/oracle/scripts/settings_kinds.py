import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.l(x))


from dataclasses import dataclass, field
from typing import NamedTuple


@dataclass
class Settings:
    device: str = "cpu"
    sizes: tuple = (3, 4)
    extra: dict = field(default_factory=lambda: {"dtype": torch.float32})

    @property
    def example(self):
        return torch.randn(*self.sizes, device=self.device, **self.extra)


class Place(NamedTuple):
    stem: str
    suffix: str = ".pt2"


class Base:
    device = "meta"

    def where(self):
        return self.device


class Child(Base):
    device = "cpu"


settings = Settings()
other = Settings(device=Child().where(), sizes=(7, 4))
place = Place("named")
ep = torch.export.export(M(), (settings.example,))
file = place.stem + place.suffix
torch._inductor.aoti_compile_and_package(ep, package_path=file)
loaded = torch._inductor.aoti_load_package(file)
loaded(settings.example)
loaded(other.example)
settings.sizes = (9, 4)
loaded(settings.example)
