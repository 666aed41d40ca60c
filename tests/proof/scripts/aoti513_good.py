import torch

run = torch.compile(torch.nn.Linear(8, 4))
with torch.no_grad():
    kept = [run(torch.full((2, 8), float(i))) for i in range(4)]
    print("kept", torch.stack(kept).shape)
