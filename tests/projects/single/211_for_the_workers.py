"""The variables are for the workers, which import torch themselves."""
import os
import subprocess
import sys

import torch

PROGRAM = "import torch; print(torch._inductor.config.nan_asserts)"


def main():
    print(torch.__version__, torch._inductor.config.nan_asserts)
    os.environ["TORCHINDUCTOR_NAN_ASSERTS"] = "1"
    os.environ["TORCH_LOGS"] = "+inductor"
    subprocess.run([sys.executable, "-c", PROGRAM], check=True)


main()
