import torch
from torch import nn

from engine import best_copy, train_one_epoch, validate

model = nn.Sequential(nn.Linear(5, 16), nn.Dropout(0.3), nn.Linear(16, 3))
loader = [(torch.randn(8, 5), torch.randint(0, 3, (8,))) for _ in range(2)]
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(2):
    train_one_epoch(model, loader, optimizer)
    validate(model, loader)
best = best_copy(model)
torch.export.save(torch.export.export(best.eval(), (torch.randn(8, 5),)), "best.pt2")
torch.export.save(torch.export.export(model, (torch.randn(8, 5),)), "last.pt2")
