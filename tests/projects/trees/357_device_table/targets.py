import enum

import torch


class Target(str, enum.Enum):
    HOST = "cpu"
    GPU = "cuda"

    @classmethod
    def available(cls):
        return [cls.HOST, cls.GPU] if torch.cuda.is_available() else [cls.HOST]

    def package(self, stem):
        return f"{stem}.{self.value}.pt2"
