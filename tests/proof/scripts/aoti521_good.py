import torch

BIAS = torch.randn(4, 3)


def run(name, function, *inputs):
    torch._dynamo.reset()
    print(name, tuple(torch.compile(function, backend="eager")(*inputs).shape))


def marked(*sizes, **bounds):
    made = torch.randn(*sizes)
    torch._dynamo.mark_dynamic(made, 0, **bounds)
    return made


def softly(*sizes):
    made = torch.randn(*sizes)
    torch._dynamo.maybe_mark_dynamic(made, 0)
    return made


def broken(x):
    y = x * 2
    torch._dynamo.graph_break()
    return y + BIAS


def counted(x):
    y = x * 2
    return y * y.sum().item() + BIAS


run("both", lambda x, y: x + y, marked(4, 3), marked(4, 3))
run("softly", lambda x, y: x + y, softly(4, 3), torch.randn(4, 3))
run("one row", lambda x, y: x + y, marked(4, 3), torch.randn(1, 3))
run("half", lambda x: x[: x.shape[0] // 2] * int(x.shape[0]), marked(6, 3))
run("one way", lambda x: x.sin() if x.shape[0] > 5 else x.cos(), marked(4, 3))
run("within", lambda x: x.sin() if x.shape[0] > 50 else x.cos(), marked(4, 3, min=2, max=10))
run("even", lambda x: x.view(2, -1, 3), marked(4, 3))
run("parted", broken, marked(4, 3))
run("a number", counted, marked(4, 3))
everything = torch.compile(lambda x, y: x + y, backend="eager", dynamic=True)
print("dynamic", tuple(everything(marked(4, 3), torch.randn(4, 3)).shape))
turned_off = torch.compile(lambda x: x + BIAS, backend="eager", disable=True)
print("disabled", tuple(turned_off(marked(4, 3)).shape))
