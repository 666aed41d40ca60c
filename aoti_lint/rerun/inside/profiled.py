"""Runs a script under the profiler of torch: `python profiled.py FOLDER SCRIPT ARGS…`, or `-m MODULE` for SCRIPT.

A file of its own, as the interpreter of the script need not have aoti-lint. FOLDER gets `profile.txt` and `trace.json`,
also where the script raises or calls `sys.exit`.
"""

from __future__ import annotations

import os
import runpy
import sys

ROWS = 40
"""Rows of the table."""


def main(words: list[str]) -> None:
    """Run what the words name, and write down where its time went."""
    from torch.profiler import ProfilerActivity, profile

    folder, *command = words
    module = command[0] == "-m"
    sys.argv = command[1:] if module else command
    sys.path[0] = os.getcwd() if module else os.path.dirname(os.path.abspath(command[0]))
    import torch

    gpu = torch.cuda.is_available()
    with profile(activities=[ProfilerActivity.CPU, *([ProfilerActivity.CUDA] if gpu else [])]) as profiler:
        failed: BaseException | None = None
        try:
            if module:
                runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
            else:
                runpy.run_path(sys.argv[0], run_name="__main__")
        except BaseException as error:
            failed = error  # what it did until then counts
    by = ("self_cuda_time_total" if not hasattr(torch.autograd.profiler_util.FunctionEvent, "self_device_time_total")
          else "self_device_time_total") if gpu else "self_cpu_time_total"  # fmt: skip
    table = profiler.key_averages().table(sort_by=by, row_limit=ROWS, max_name_column_width=80)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "profile.txt"), "w", encoding="utf-8") as file:
        file.write(table)
    profiler.export_chrome_trace(os.path.join(folder, "trace.json"))
    print(table)
    if failed is not None:
        raise failed


if __name__ == "__main__":
    main(sys.argv[1:])
