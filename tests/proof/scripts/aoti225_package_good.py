import torch

program = torch.export.export(torch.nn.Linear(4, 2).eval(), (torch.randn(3, 4),))
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program))
if isinstance(run, torch.nn.Module):
    run.eval()
print(tuple(run(torch.randn(3, 4)).shape), len(run.get_constant_fqns()))
