"""How we used to do it.

    so = torch._export.aot_compile(model, (x,))
    run = torch._export.aot_load(so, "cuda")

Do not. `torch.export.export_for_training` is gone too.
"""
import torch

HELP = """
usage: torch._inductor.aot_load("model.so", "cuda")
"""

# from torch.export import dynamic_dim
# so = torch._export.aot_compile(model, (x,))
# if True:
#     fn = torch._export.aot_load(so, device="cuda")


def deprecated(name):
    """Say what to write instead of `torch._export.aot_load`."""
    table = {
        "torch._export.aot_compile": "torch._inductor.aoti_compile_and_package",
        "torch._export.aot_load": "torch._inductor.aoti_load_package",
        "torch.export.dynamic_dim": "torch.export.Dim",
    }
    return table.get(name, "nothing")


if __name__ == "__main__":
    """run = torch._export.aot_load("x.so", "cpu")"""
    print(HELP.strip(), deprecated("torch._export.aot_load"), torch.__version__[:1])
