import torch

torch._dynamo.config.reorderable_logging_functions.add(print)


@torch.compile(fullgraph=True, backend="eager")
def step(x):
    print("step")
    return x * 2


print("sum", step(torch.ones(3)).sum().item())
