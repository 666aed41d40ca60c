import torch


class Filter:
    def __init__(self, device):
        self.inner = torch._inductor.aoti_load_package(f"filter_{device}.pt2")
        self.device = torch.device(self.inner.get_metadata()["AOTI_DEVICE_KEY"])

    def __call__(self, signal):
        signal = torch.as_tensor(signal, dtype=torch.float32)
        if signal.device.type != self.device.type:
            signal = signal.to(self.device)
        return self.inner(signal).cpu()


for device in ("cpu", "cuda"):
    print(Filter(device)(torch.randn(1, 2, 500)).shape)
