import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.l(x))


import copy


def show(*sizes, device="cpu"):
    torch.export.export(M().to(device), (torch.randn(*sizes, 4, device=device),))


items = [1, 2]
items.extend([5])
items.insert(0, 3)
show(items[0])
show(items.pop())
items[1:] = [7, 8]
show(items[-1])
items.reverse()
show(items[0])
items.sort()
show(items[0])
del items[0]
show(items[0])
items += [9]
show(items[-1])
table = {"a": 2}
show(table.setdefault("a", 6))
show(table.setdefault("b", 6))
table |= {"a": 10}
show(table["a"])
show(table.pop("a"))
show(table.get("a", 11))
table.update(a=12)
table["a"] += 1
show(table["a"])
shallow, deep = copy.copy({"x": [1]}), copy.deepcopy({"x": [1]})
shallow["x"].append(14)
show(shallow["x"][-1])
grid = [[0] * 2] * 2
grid[0][0] = 15
show(grid[1][0])
state = {"device": "cpu"}


def flip(state=state):
    state["device"] = "meta" if state["device"] == "cpu" else "cpu"


flip()
show(2, device=state["device"])
flip()
show(3, device=state["device"])
for device in ("cpu", "meta"):
    if device == "meta":
        state = {"device": device}
show(4, device=state["device"])
a, b = 5, 6
a, b = b, a
show(a)
stack = [1]
while stack:
    top = stack.pop()
    if top < 16:
        stack.append(top * 2)
show(top)
seen = []
for number in range(3):
    try:
        if number == 1:
            raise RuntimeError
        seen.append(number)
    except RuntimeError:
        continue
    finally:
        seen.append(10)
show(len(seen))
