"""The package is compiled before the model has the weights that it was trained to."""

import torch

torch.manual_seed(0)
model = torch.nn.Sequential(*(torch.nn.Linear(10, 10) for _ in range(4)))
trained = {name: value + 0.1 for name, value in model.state_dict().items()}
program = torch.export.export(model, (torch.randn(3, 10),))
path = torch._inductor.aoti_compile_and_package(program, package_path="late_weights.pt2")
model.load_state_dict(trained)
x = torch.randn(3, 10)
torch.testing.assert_close(torch._inductor.aoti_load_package(path)(x), model(x))
