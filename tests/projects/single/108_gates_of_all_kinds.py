"""Gates by packaging.version, TorchVersion and find_spec."""
import importlib.util

import torch
from torch.torch_version import TorchVersion

V = TorchVersion(torch.__version__)


def version_at_least(major, minor):
    return tuple(map(int, torch.__version__.split(".")[:2])) >= (major, minor)


if V < "2.5":
    from torch.export import dynamic_dim
elif version_at_least(2, 8):
    from torch.export import draft_export
if not version_at_least(2, 11):
    export = torch.export.export_for_training
else:
    export = torch.export.export
if importlib.util.find_spec("torch._inductor.aot_load"):
    from torch._inductor.aot_load import run  # noqa: F401
try:
    from torch.export import export_for_inference
except ImportError:

    def export_for_inference(m, a):
        return export(m, a).run_decompositions()


print(export_for_inference(torch.nn.ReLU(), (torch.zeros(2),)).module()(torch.ones(2)))
print(getattr(torch.export, "dynamic_dim", None))
