import torch

from wrappers import Frozen, ListWrapper

frozen = Frozen(5).train()
wrapper = ListWrapper(frozen.eval(), ["x", "w"])
rows = torch.export.Dim("rows", min=2)
program = torch.export.export(wrapper, (torch.randn(4, 5), torch.ones(4, 1)), dynamic_shapes={"tensors": ({0: rows}, {0: rows})})
print(program.module()(torch.randn(7, 5), torch.ones(7, 1))[0].shape)
torch.export.save(program, "wrapped.pt2")
