import torch

import paths


def best_labels(scores: torch.Tensor) -> list[str]:
    return [paths.LABELS[i] for i in scores.argmax(-1).tolist()]


def main() -> None:
    if not paths.TAGGER_LIB.exists():
        raise SystemExit("run compile.py first")
    device = torch.device("cuda")
    tagger = torch._export.aot_load(str(paths.TAGGER_LIB), device.type)
    sentence = torch.randn(9, paths.EMBED, device=device)
    print(best_labels(tagger(sentence)))


if __name__ == "__main__":
    main()
