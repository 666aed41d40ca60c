import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return (x @ x).relu()


program = torch.export.export(Net(), (torch.ones(4, 4),))
print("exported", flush=True)
torch._inductor.aoti_compile_and_package(
    program,
    inductor_configs={"aot_inductor.debug_intermediate_value_printer": 2},  # <- AOTI511
)
