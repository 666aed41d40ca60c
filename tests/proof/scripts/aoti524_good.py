import torch

compiled = torch.compile(torch.nn.Linear(8, 4), backend="eager")
with torch.compiler.set_stance("force_eager"):
    print("set")
    print(compiled(torch.randn(2, 8)).shape)
