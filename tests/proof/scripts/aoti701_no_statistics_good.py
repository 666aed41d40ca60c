import torch

# Without running statistics a norm does the same in both modes.
model = torch.nn.Sequential(torch.nn.InstanceNorm1d(3), torch.nn.Dropout(0.0))
x = torch.randn(4, 3, 8)
program = torch.export.export(model, (x,))
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program))
print("as in eval mode", torch.allclose(run(x), model.eval()(x), atol=1e-5))
