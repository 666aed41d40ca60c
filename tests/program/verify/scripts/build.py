"""`build.py FOLDER NAME…`: saves the programs of these names and compiles all but `program_…`, in one process."""

import sys
import time

import models
import torch
import torch._inductor.config

torch._inductor.config.aot_inductor.compile_wrapper_opt_level = "O0"
torch._inductor.config.compile_threads = 1
folder = sys.argv[1]
for name in sys.argv[2:]:
    start = time.time()
    program = getattr(models, name)()
    torch.export.save(program, f"{folder}/{name}.ep.pt2")
    if not name.startswith("program_"):
        with torch.autocast("cpu", torch.bfloat16, enabled=name == "wrong_autocast"):
            torch._inductor.aoti_compile_and_package(program, package_path=f"{folder}/{name}.pt2")
    print(name, f"{time.time() - start:.1f} s", flush=True)
