import torch

seen = []
model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU())
compiled = torch.compile(model, backend="aot_eager")
compiled(torch.ones(2, 8))
model[0].register_forward_hook(lambda module, given, made: seen.append(made.shape))  # <- AOTI528
compiled(torch.ones(2, 8))
print("seen", len(seen))
