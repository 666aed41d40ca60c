import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 4)

    def forward(self, x):
        return torch.relu(self.linear(x))


from torch._inductor.package import load_package, package_aoti

model = Model().eval()
x = torch.randn(2, 8)
program = torch.export.export(model, (x,))
files = torch._inductor.aot_compile(program.module(), (x,), options={"aot_inductor.package": True})
package_aoti("several.pt2", {"first": files})
run = load_package("several.pt2", "first")
print("equal", torch.allclose(run(x), model(x), atol=1e-5))
