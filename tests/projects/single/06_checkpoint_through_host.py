"""The checkpoint comes in through host memory, the model ends on the GPU."""
import torch
from torch import nn

CHECKPOINT = "head.pth"


def load_head():
    head = nn.Sequential(nn.Linear(16, 8), nn.Tanh(), nn.Linear(8, 2))
    state = torch.load(CHECKPOINT, map_location="cpu", weights_only=True)
    head.load_state_dict(state["model"] if "model" in state else state)
    return head.to("cuda").eval()


if __name__ == "__main__":
    torch.save(nn.Sequential(nn.Linear(16, 8), nn.Tanh(), nn.Linear(8, 2)).state_dict(), CHECKPOINT)
    head = load_head()
    example = torch.load("example.pt", map_location="cpu") if False else torch.randn(4, 16)
    program = torch.export.export(head, (example.to("cuda"),), dynamic_shapes=({0: torch.export.Dim("n", max=99)},))
    fn = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program, package_path="head.pt2"))
    print(fn(torch.randn(7, 16).to("cuda")).shape)
