import torch

from targets import Target

for target in Target.available():
    run = torch._inductor.aoti_load_package(target.package("linear"))
    rows = torch.randn(20, 12)
    print(target.name, run(rows.to(target.value)).shape)
host = torch._inductor.aoti_load_package(Target.HOST.package("linear"))
print(host(torch.randn(9, 12)).shape)
