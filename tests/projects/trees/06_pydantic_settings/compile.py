import torch
from torch import nn

from config import get_settings


class Gesture(nn.Module):
    def __init__(self, joints: int, classes: int = 7):
        super().__init__()
        self.joint = nn.Linear(joints * 3, 32)
        self.out = nn.Linear(32, classes)

    def forward(self, clip):
        return self.out(self.joint(clip.flatten(2)).relu().mean(1))


def main():
    settings = get_settings()
    model = Gesture(settings.joints).to(settings.device).eval()
    clip = torch.randn(settings.export_batch, settings.frames, settings.joints, 3, device=settings.device)
    program = torch.export.export(model, (clip,))
    torch._inductor.aoti_compile_and_package(program, package_path=settings.package_path)


if __name__ == "__main__":
    main()
