import torch

seen = []
model = torch.nn.Linear(8, 8)


@torch.compile(backend="aot_eager")
def run(x):
    return model(x) + 1


run(torch.ones(2, 8, requires_grad=True)).sum().backward()
model.register_full_backward_hook(lambda module, given, made: seen.append(made))  # <- AOTI528
run(torch.ones(2, 8, requires_grad=True)).sum().backward()
print("seen", len(seen))
