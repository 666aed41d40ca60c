import torch


class Net(torch.nn.Module):
    def forward(self, input_ids=None, attention_mask=None):
        rows, columns = input_ids.shape[:2]  # <- AOTI722
        return input_ids * rows


inputs = {"input_ids": torch.ones(1, 7), "attention_mask": torch.ones(1, 7)}
torch.export.export(Net(), (inputs,))
