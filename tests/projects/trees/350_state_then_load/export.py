import torch

from load import arch, load_for_inference, load_weights

torch.save(arch(), "whole.pt")
torch.save(arch().state_dict(), "weights.pt")
for load, path in ((load_for_inference, "whole.pt"), (load_weights, "weights.pt")):
    program = torch.export.export(load(path), (torch.randn(2, 3),))
    torch.export.save(program, path.replace(".pt", ".pt2"))
    print(program.module()(torch.randn(2, 3)).shape)
