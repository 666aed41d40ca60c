import torch
from torch import nn


class Task(nn.Module):
    """A module with hooks."""

    def on_export(self):
        self.eval()

    def example_input(self):
        raise NotImplementedError

    def to_program(self, hooks=True):
        if hooks:
            self.on_export()
        program = torch.export.export(self, (self.example_input(),))
        torch.export.save(program, f"{type(self).__name__.lower()}.pt2")
        return program
