import torch

from worker.env import LIBRARY, run_device


class Worker:
    def __init__(self):
        self.device = run_device()
        self.translit = torch._export.aot_load(LIBRARY, self.device)

    def handle(self, words):
        ids = torch.tensor([[ord(c) % 40 for c in w.ljust(20)[:20]] for w in words], device=self.device)
        return self.translit(ids)


if __name__ == "__main__":
    print(Worker().handle(["alpha", "beta"]).shape)
