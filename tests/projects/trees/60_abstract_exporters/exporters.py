import torch
from torch import nn

from base import Exporter


class VibrationExporter(Exporter):
    name = "vibration"

    def module(self):
        return nn.Sequential(nn.Conv1d(3, 4, 5, padding=2), nn.GELU(), nn.AdaptiveAvgPool1d(6))

    def example(self):
        return (torch.randn(self.BATCH, 3, 64),)

    def dynamic(self):
        return ({0: torch.export.Dim("sensors", max=256)},)


class OilExporter(VibrationExporter):
    name = "oil"
    BATCH = 1

    def module(self):
        return nn.Sequential(nn.Linear(8, 5), nn.Tanh())

    def example(self):
        return (torch.randn(self.BATCH, 8),)

    def dynamic(self):
        samples = torch.export.Dim("samples", max=64)
        return ({0: samples},)
