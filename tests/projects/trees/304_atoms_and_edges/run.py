import torch

from keys import EDGES, POSITIONS, SHIFTS, TYPES, example, fresh_batch_map, get_dynamic_shapes
from potential import Potential

FIELDS = [POSITIONS, EDGES, SHIFTS, TYPES]


def aot_export(model, data, batch_map, fields=FIELDS):
    return torch.export.export(model.eval(), (*[data[k] for k in fields],), dynamic_shapes=get_dynamic_shapes(fields, batch_map))


batch_map = fresh_batch_map()
program = aot_export(Potential(), example(), batch_map)
print(program.module()(*[example(9, 30)[k] for k in FIELDS]).shape)
one = dict.fromkeys(batch_map, torch.export.Dim("size", min=2))
print(aot_export(Potential(), example(6, 6), one).module()(*[example(9, 9)[k] for k in FIELDS]).shape)
aot_export(Potential(), example(6, 14), one)
