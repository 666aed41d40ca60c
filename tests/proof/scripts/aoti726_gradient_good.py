import numpy
import torch

model = torch.nn.Linear(4, 2).eval()
program = torch.export.export(model, (torch.randn(1, 4),))
predict = program.module()
x = torch.randn(1, 4)
with torch.inference_mode():
    first = predict(x).numpy()
second = predict(x).detach().numpy()
third = numpy.asarray(predict(x).numpy(force=True))
best = predict(x).argmax(-1).numpy()
package = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program))
print("shapes", first.shape, second.shape, third.shape, best.shape, package(x).numpy().shape)
