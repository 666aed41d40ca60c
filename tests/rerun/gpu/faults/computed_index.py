"""Hashed features: the bucket of a feature is computed in the model."""

import torch


class Hashed(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.score = torch.nn.Linear(16, 8)
        self.table = torch.nn.Embedding(512, 32)
        self.out = torch.nn.Linear(32, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        scores = torch.sigmoid(self.score(x))
        buckets = (scores * 512).round().long()
        features = self.table(buckets).sum(1)
        return self.out(torch.relu(features))


torch.manual_seed(0)
model = Hashed().cuda().eval()
batch = torch.randn(64, 16, device="cuda")
program = torch.export.export(model, (batch,))
path = torch._inductor.aoti_compile_and_package(program, package_path="hashed.pt2")
run = torch._inductor.aoti_load_package(path)
print(run(batch).norm().item())
# A saturated score is rounded up to 512.
print(run(batch * 100).norm().item())
