import os

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 4)

    def forward(self, x):
        return self.fc(x).relu()


os.environ["CUDA_VISIBLE_DEVICES"] = ""
model, x = Net().eval(), torch.randn(4, 8)
print("hidden", flush=True)
model.cuda()  # <- AOTI108
torch.export.export(model, (x.to(model.fc.weight.device),))
