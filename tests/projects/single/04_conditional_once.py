import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


class Attention(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.qkv = nn.Linear(width, 3 * width)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        return nn.functional.scaled_dot_product_attention(q, k, v)


with torch.no_grad():
    model = Attention().to(device=device).eval()
    example_inputs = (torch.randn(2, 5, 8, device=device),)
    seq = torch.export.Dim("seq", min=2, max=128)
    exported = torch.export.export(model, example_inputs, dynamic_shapes={"x": {1: seq}})
    output_path = torch._inductor.aoti_compile_and_package(exported, package_path="attention.pt2")

    model = torch._inductor.aoti_load_package("attention.pt2")
    print(model(torch.randn(2, 40, 8, device=device)).shape)
