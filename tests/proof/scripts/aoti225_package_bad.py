import torch

program = torch.export.export(torch.nn.Linear(4, 2).eval(), (torch.randn(3, 4),))
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program))
print(sorted(name for name in ("eval", "to", "state_dict", "parameters", "forward") if hasattr(run, name)))
run.eval()  # <- AOTI225
