import torch

from config import get_settings


def batches(settings, total):
    for _ in range(0, total, settings.serve_batch):
        yield torch.randn(settings.serve_batch, settings.frames, settings.joints, 3, device=settings.device)


def main():
    settings = get_settings()
    classify = torch._inductor.aoti_load_package(settings.package_path)
    for clip in batches(settings, total=64):
        print(len(clip), "clips ->", tuple(classify(clip).shape))


if __name__ == "__main__":
    main()
