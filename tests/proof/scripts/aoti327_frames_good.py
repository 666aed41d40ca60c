import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.hann_window(400))

    def forward(self, x):
        return torch.stft(x, 400, 160, window=self.window, return_complex=True).abs()


time = torch.export.Dim.AUTO
torch.export.export(Net(), (torch.randn(2, 16000),), dynamic_shapes={"x": {1: time}})
