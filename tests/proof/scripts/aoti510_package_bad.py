import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x.relu()


program = torch.export.export(Net(), (torch.ones(2, 8),))
print("exported", flush=True)
torch._inductor.aoti_compile_and_package(program, inductor_configs={"max-autotune": True})  # <- AOTI510
