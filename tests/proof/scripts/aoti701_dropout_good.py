import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 64)
        self.drop = torch.nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(self.fc(x))


model = Net().eval()
model.load_state_dict(Net().state_dict())
x = torch.randn(4, 8)
program = torch.export.export(model, (x,))
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program))
print("two runs agree", torch.equal(run(x), run(x)))
