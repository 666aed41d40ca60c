import torch


@torch.compiler.disable
def record(x):
    print("record", x.sum().item())


@torch.compile(backend="eager")
def in_parts(x):
    record(x)
    torch._dynamo.graph_break()
    return x * 2


@torch.compile(fullgraph=True, backend="eager")
def guarded(x):
    if not torch.compiler.is_compiling():
        record(x)
    return x * 2


@torch.compile(fullgraph=True, backend="eager")
@torch.compiler.disable
def never(x):
    return x * 2


@torch.compiler.disable
def around(x):
    return guarded(x)


print("sums", *(step(torch.ones(3)).sum().item() for step in (in_parts, guarded, never, around)))
