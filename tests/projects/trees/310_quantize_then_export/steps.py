"""Steps of a pipeline: each takes what the last one gave."""
import copy

import torch


def capture(model, example, shapes):
    return torch.export.export(model.eval(), example, dynamic_shapes=shapes)


def round_weights(program, bits=4):
    """Fake quantisation: the weights of the captured graph are rounded in place."""
    module = copy.deepcopy(program.module())
    levels = 2 ** (bits - 1)
    with torch.no_grad():
        for parameter in module.parameters():
            step = parameter.abs().max() / levels
            parameter.copy_((parameter / step).round() * step)
    return module


def finish(module, example, shapes=None):
    return torch.export.export(module, example, dynamic_shapes=shapes)
