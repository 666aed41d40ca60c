import torch

seen = []
model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU())
compiled = torch.compile(model, backend="aot_eager")
compiled(torch.ones(2, 8))
model.register_forward_hook(lambda module, given, made: seen.append("around"))
compiled(torch.ones(2, 8))
model[0].register_forward_hook(lambda module, given, made: seen.append("inside"))
torch.compiler.reset()
compiled(torch.ones(2, 8))
print("seen", seen)
