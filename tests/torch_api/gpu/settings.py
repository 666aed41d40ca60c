"""What some settings do on a GPU. Each is tried in processes of its own; prints one line of JSON for each group."""

import json
import os
import subprocess
import sys

MEMORY = "import torch; torch.ones(9, device='cuda'); print(torch.cuda.memory_reserved() > 0)"
LAUNCH = """
import os, sys, time, torch
if sys.argv[1:] == ["before"]: os.environ["CUDA_LAUNCH_BLOCKING"] = "1"
x = torch.ones(8192, 8192, device="cuda"); x @ x; torch.cuda.synchronize()
if sys.argv[1:] == ["after"]: os.environ["CUDA_LAUNCH_BLOCKING"] = "1"
start = time.time()
for _ in range(6): x @ x
print(time.time() - start > 0.05)
"""
COMPILE = """
import os, torch
import torch._inductor.config as config
from torch._inductor.utils import run_and_get_code
weight = torch.ones(64, 4, device="cuda")
function = torch.compile(lambda x: ((x.sin() + 1).relu() @ weight).sum(1))
_, (code, *_) = run_and_get_code(function, torch.ones(8, 64, device="cuda"))
saved = os.listdir("tmp/jit_inductor") if os.path.isdir("tmp/jit_inductor") else []
print([config.triton.cudagraphs, "isnan" in code, len(saved) > 0])
"""
PRINTER = "AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER"


def child(code: str, *words: str, **variables: str) -> str:
    """What a process printed."""
    command = [sys.executable, "-c", code, *words]
    done = subprocess.run(command, env={**os.environ, **variables}, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def tried(code: str, name: str, *values: str) -> dict[str, str]:
    """The last line for each value of a variable."""
    return {f"{name}={value}": child(code, **{name: value}).split("\n")[-2] for value in values}


caching = {"unset": child(MEMORY).strip(), **tried(MEMORY, "PYTORCH_NO_CUDA_MEMORY_CACHING", "0", "1", "", "true")}
print(json.dumps({"caches": caching}))
moments = {moment: child(LAUNCH, moment).strip() for moment in ("unset", "before", "after")}
print(json.dumps({"waits": {**moments, **tried(LAUNCH, "CUDA_LAUNCH_BLOCKING", "0", "1", "", "true")}}))
flags = ("TORCHINDUCTOR_CUDAGRAPHS", "TORCHINDUCTOR_TRITON_CUDAGRAPHS", "TORCHINDUCTOR_NAN_ASSERTS")
compiled = {name: text for flag in flags for name, text in tried(COMPILE, flag, "1").items()}
print(json.dumps({"graphs, checks, files": {**compiled, **tried(COMPILE, PRINTER, "3", "2", "1")}}))
print(json.dumps({"prints": {value: "launch - " in child(COMPILE, **{PRINTER: value}) for value in ("2", "3")}}))
