"""What `patch` gives is not entered: the setting stays as it was."""

import torch

torch._inductor.config.patch(max_autotune=True)  # <- AOTI513
print("max_autotune", torch._inductor.config.max_autotune)
