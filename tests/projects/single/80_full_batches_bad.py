from __future__ import annotations

import dataclasses
import logging
import typing as t

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, Dataset, TensorDataset

logger = logging.getLogger(__name__)


@dataclasses.dataclass
class TrainConfig:
    features: int = 9
    classes: int = 3
    batch_size: int = 8
    epochs: int = 1
    lr: float = 1e-2
    device: str = "cpu"
    package: str = "classifier.pt2"


class ExportMixin:
    cfg: TrainConfig
    model: nn.Module

    def example_inputs(self) -> tuple[torch.Tensor, ...]:
        return (torch.zeros(self.cfg.batch_size, self.cfg.features, device=self.cfg.device),)

    def export(self) -> str:
        self.model.eval()
        ep = torch.export.export(self.model, self.example_inputs())
        return torch._inductor.aoti_compile_and_package(ep, package_path=self.cfg.package)


class Trainer:
    def __init__(self, cfg: TrainConfig):
        self.cfg = cfg
        self.model = nn.Sequential(nn.Linear(cfg.features, 16), nn.ReLU(), nn.Linear(16, cfg.classes)).to(cfg.device)
        self.optimizer = optim.AdamW(self.model.parameters(), lr=cfg.lr)

    def loader(self, data: Dataset, shuffle: bool = False) -> DataLoader:
        return DataLoader(data, batch_size=2 * self.cfg.batch_size, shuffle=shuffle, drop_last=True)

    def fit(self, data: Dataset) -> None:
        self.model.train()
        for epoch in range(self.cfg.epochs):
            for x, y in self.loader(data, shuffle=True):
                loss = nn.functional.cross_entropy(self.model(x.to(self.cfg.device)), y.to(self.cfg.device))
                self.optimizer.zero_grad(set_to_none=True)
                loss.backward()
                self.optimizer.step()
            logger.info("epoch %d loss %.4f", epoch, loss.item())


class ExportingTrainer(ExportMixin, Trainer):
    def evaluate(self, data: Dataset) -> float:
        run = torch._inductor.aoti_load_package(self.export())
        right = total = 0
        for x, y in self.loader(data):
            pred = run(x.to(self.cfg.device)).argmax(-1).cpu()
            right += (pred == y).sum().item()
            total += y.numel()
        return right / max(total, 1)


def main() -> None:
    cfg = TrainConfig()
    data = TensorDataset(torch.randn(50, cfg.features), torch.randint(cfg.classes, (50,)))
    trainer = ExportingTrainer(cfg)
    trainer.fit(data)
    print(trainer.evaluate(data))


if __name__ == "__main__":
    main()
