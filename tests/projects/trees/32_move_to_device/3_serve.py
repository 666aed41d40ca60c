import torch

if __name__ == "__main__":
    depth = torch._inductor.aoti_load_package("depth.aoti.pt2")
    rgb = torch.rand(5, 3, 32, 32, device="cuda")
    print(depth(rgb).shape)
