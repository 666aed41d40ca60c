import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(64, 64)

    def forward(self, x):
        return self.fc(x)


class Train(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Net()


model, x = Net().eval(), torch.randn(2, 64)
program = torch.export.export(model, (x,))
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program, package_path="net.pt2"))
trained = Train().eval()
torch.save({name.removeprefix("model."): one for name, one in trained.state_dict().items()}, "weights.pt")
run.load_constants(torch.load("weights.pt"), check_full_update=True)
print("the same:", torch.allclose(run(x), trained.model(x), atol=1e-5))
