import torch


@torch.compiler.disable(recursive=False)
def record(x):
    print(x.sum().item())


@torch.compile(fullgraph=True, backend="eager")
def step(x):
    torch._dynamo.graph_break()  # <- AOTI515
    record(x)  # <- AOTI515
    return x * 2


step(torch.ones(3))
