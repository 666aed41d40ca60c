import torch


class Net(torch.nn.Module):
    def forward(self, batch):
        return batch["image"] * batch["mask"]  # <- AOTI722


torch.export.export(Net(), ({"image": torch.randn(2, 4)},))
