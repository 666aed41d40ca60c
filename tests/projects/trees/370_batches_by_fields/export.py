import torch

from batch import PairBatch, TextBatch, dynamic
from towers import Pair, Single


def export(model, batch, spec_of=None):
    spec = dynamic(spec_of or type(batch))
    return torch.export.export(model.eval(), (), batch.as_inputs(), dynamic_shapes=spec)


export(Single(), TextBatch.example())
print("single")
export(Pair(), PairBatch.example())
print("pair")
export(Pair(), PairBatch.example(), spec_of=TextBatch)
