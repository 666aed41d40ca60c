import torch
from torch.export import Dim, export


def decompose(program):
    return program.run_decompositions()


def again(program, example):
    """Exports the captured module again with every dimension as it was."""
    return export(program.module(), example, dynamic_shapes=({0: Dim.AUTO, 1: Dim.STATIC},))


def narrow(program, example):
    """A program for one size, and called so."""
    return export(program.module(), example)
