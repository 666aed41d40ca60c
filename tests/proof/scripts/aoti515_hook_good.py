import torch

hooked, forward_only = torch.nn.Linear(4, 4), torch.nn.Linear(4, 4)
handle = hooked.register_full_backward_hook(lambda module, before, after: None)
print("broken", tuple(torch.compile(lambda x: hooked(x) + 1, backend="eager")(torch.randn(2, 4)).shape))
handle.remove()
print("removed", tuple(torch.compile(hooked, backend="eager", fullgraph=True)(torch.randn(2, 4)).shape))
forward_only.register_forward_hook(lambda module, inputs, output: output * 2)
print("forward", tuple(torch.compile(forward_only, backend="eager", fullgraph=True)(torch.randn(2, 4)).shape))
