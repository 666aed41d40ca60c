import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.l(x))


import enum
import functools
import itertools
import json
import operator
from dataclasses import asdict, dataclass, replace

MAKERS = {}


def register(name):
    def keep(function):
        MAKERS[name] = function
        return function

    return keep


@register("small")
def small():
    return torch.randn(2, 4)


@register("large")
def large(rows=20):
    return torch.randn(rows, 4)


class Place(enum.Enum):
    HOST = "cpu"
    NOWHERE = "meta"


@dataclass(frozen=True)
class Spec:
    rows: int = 3
    device: str = Place.HOST.value


def show(thing):
    torch.export.export(M().to(thing.device), (thing,))


show(MAKERS["small"]())
show(MAKERS["large"](rows=21))
spec = replace(Spec(), rows=5)
show(torch.randn(spec.rows, 4, device=spec.device))
other = Spec(**{**asdict(spec), "device": Place["NOWHERE"].value})
show(torch.randn(other.rows, 4, device=other.device))
for rows, device in itertools.product((6, 7), ("cpu", "meta")):
    show(torch.randn(rows, 4, device=device))
show(torch.randn(functools.reduce(operator.add, [1, 2, 5]), 4))
show(torch.randn(operator.itemgetter("rows")({"rows": 9}), 4))
conf = json.loads('{"rows": 10, "device": "meta"}')
show(torch.randn(conf["rows"], 4, device=conf["device"]))
rows = [*itertools.chain([1], [11])][-1]
show(torch.randn(rows, 4))
show(torch.randn(list(reversed([12, 3]))[1] + 9, 4))
show(torch.randn(*(part for part in (13, 4))))
show(torch.randn(next(iter({14: "x"})), 4))
show(torch.randn(len(set([1, 1, 2])) + 13, 4))
show(torch.randn(any([0, 0]) or 16, 4))
show(torch.randn(int(f"{17:03d}"), 4))
