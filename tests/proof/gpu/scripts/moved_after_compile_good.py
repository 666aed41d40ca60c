import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 4)

    def forward(self, x):
        return self.fc(x).relu()


model, x = Net().eval(), torch.randn(4, 8)
program = torch.export.export(model, (x,))
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program))
wanted = model(x)
model.cuda()
print("equal", torch.allclose(run(x), wanted, atol=1e-4))
