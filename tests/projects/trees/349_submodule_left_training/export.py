import torch

from backbone import Classifier, Encoder


def prepare(unfreeze=()):
    model = Classifier(Encoder()).eval()
    for name in unfreeze:
        getattr(model, name).train()
    return model


example = (torch.randn(4, 4),)
torch.export.save(torch.export.export(prepare(), example), "frozen.pt2")
torch.export.save(torch.export.export(prepare(unfreeze=["head"]), example), "head.pt2")
torch.export.save(torch.export.export(prepare(unfreeze=["encoder"]), example), "encoder.pt2")
