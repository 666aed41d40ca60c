import torch

from shapes import stereo_example, stereo_shapes
from stereo import Stereo

good = torch.export.export(Stereo().eval(), stereo_example(32), dynamic_shapes=stereo_shapes())
print(good.module()(*stereo_example(100)).shape)
bad = torch.export.export(Stereo().eval(), stereo_example(32, extra=1), dynamic_shapes=stereo_shapes())
