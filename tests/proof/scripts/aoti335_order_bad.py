import torch


class Net(torch.nn.Module):
    def forward(self, parts):
        return parts["a"] * 2 + parts["b"] * 10


program = torch.export.export(Net(), ({"a": torch.randn(2), "b": torch.randn(2)},))
path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
run = torch._inductor.aoti_load_package(path)
print(run({"b": torch.zeros(2), "a": torch.ones(2)}).tolist())  # <- AOTI335
