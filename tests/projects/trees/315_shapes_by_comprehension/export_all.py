import torch

from convnets import Flat, Plain
from dims import image_shapes

for model, name in ((Plain(), "input"), (Flat(), "x")):
    model.eval()
    program = torch.export.export(model, (torch.randn(8, 3, 16, 20),), dynamic_shapes=image_shapes(model, name))
    print(type(model).__name__, program.module()(torch.randn(9, 3, 30, 24)).shape)
