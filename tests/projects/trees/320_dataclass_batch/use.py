import torch
from torch.export import Dim, ShapesCollection, export

from batch import Batch
from net import Net

batch, bias = Batch.zeros(10), torch.zeros(3)
shapes = ShapesCollection()
nodes = Dim("nodes", min=2, max=10_000)
shapes[batch.nodes] = {0: nodes}
shapes[batch.weights] = {0: nodes}
program = export(Net().eval(), (batch, bias), dynamic_shapes=shapes)
print(program.module()(Batch.zeros(4), bias).shape)
static = export(Net().eval(), (batch, bias))
print(static.module()(batch, bias).shape)
print(static.module()(batch.rows(4), bias).shape)
