import torch

from data import batches, to_device

ctr = torch._inductor.aoti_load_package("ctr.pt2")
for batch in batches(3):
    print(ctr(**to_device(batch, "cuda")).shape)
for batch in batches(2):
    for tensor in batch.values():
        tensor.to("cuda")
    print(ctr(**batch).shape)
