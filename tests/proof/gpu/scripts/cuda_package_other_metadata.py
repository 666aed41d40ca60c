import json
import zipfile

import torch


class Wave(torch.nn.Module):
    def forward(self, x):
        return x.sin() + 1


x = torch.randn(4, 8, device="cuda")
path = torch._inductor.aoti_compile_and_package(torch.export.export(Wave(), (x,)))
other = {"COMPUTE_CAPABILITY": "80", "CPU_ISA": "AVX2", "PLATFORM": "win32", "MACHINE": "aarch64"}
with zipfile.ZipFile(path) as old, zipfile.ZipFile("other.pt2", "w") as new:
    for name in old.namelist():
        data = old.read(name)
        if name.endswith("_metadata.json"):
            data = json.dumps({**json.loads(data), **{f"AOTI_{k}": v for k, v in other.items()}})
        new.writestr(name, data)
run = torch._inductor.aoti_load_package("other.pt2")
print("equal", torch.allclose(run(x), x.sin() + 1))
