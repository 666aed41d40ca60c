import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(64, 64)

    def forward(self, x):
        return self.fc(x)


model = Net().eval()
program = torch.export.export(model, (torch.randn(2, 64),))
path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
run = torch._inductor.aoti_load_package(path)
for weights in (
    {f"model.{name}": weight for name, weight in model.state_dict().items()},
    {"_".join(name.split(".")): weight for name, weight in model.state_dict().items()},
):
    try:
        run.load_constants(weights, check_full_update=False)
    except RuntimeError as error:
        print("raised", str(error).split("\n")[0])
torch.save({f"model.{name}": weight for name, weight in model.state_dict().items()}, "weights.pt")
run.load_constants(torch.load("weights.pt"), check_full_update=True)  # <- AOTI708
