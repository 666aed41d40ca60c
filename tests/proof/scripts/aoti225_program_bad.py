import torch

program = torch.export.export(torch.nn.Linear(4, 2), (torch.randn(3, 4),))
print(sorted(program.state_dict), [name for name in ("train", "to", "forward", "cuda") if hasattr(program, name)])
program.eval()  # <- AOTI225
