import settings
import torch
from model import M


def compile_model(device, *, rows):
    settings.FOLDER.mkdir(exist_ok=True)
    x = torch.randn(rows, 4, device=device)
    ep = torch.export.export(M().to(device), (x,))
    return torch._inductor.aoti_compile_and_package(ep, package_path=settings.PACKAGE)
