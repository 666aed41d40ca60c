import torch
from torch.utils.data import DataLoader, TensorDataset

from utils import get_device, to_device


def main():
    device = get_device()
    fuse = torch._inductor.aoti_load_package("fuse.pt2")
    scans = DataLoader(TensorDataset(torch.randn(50, 4), torch.randn(50, 3)), batch_size=16)
    for batch in scans:
        lidar, radar = to_device(batch, device)
        out = fuse(lidar, radar)
        print(tuple(out.shape), out.device == lidar.device)


if __name__ == "__main__":
    main()
