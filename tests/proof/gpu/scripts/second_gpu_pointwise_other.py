import torch


class Wave(torch.nn.Module):
    def forward(self, x):
        return x.sin() + 1


model, x = Wave().eval(), torch.randn(4, 8, device="cuda:0")
path = torch._inductor.aoti_compile_and_package(torch.export.export(model, (x,)))
run = torch._inductor.aoti_load_package(path)
y = x.to("cuda:1")
out = run(y)
torch.cuda.synchronize()
print(out.device, torch.allclose(out.cpu(), model(x).cpu(), atol=1e-4))
