import torch

from modes import evaluating, frozen
from nets import regressor

example = (torch.randn(4, 8),)


def validated(model):
    with evaluating(model):
        print("before", model(*example).mean().item())
    return model


student, teacher, plain = regressor(), regressor(), regressor(p=0.0)
with frozen(teacher) as model:
    torch.export.save(torch.export.export(model, example), "teacher.pt2")
torch.export.save(torch.export.export(validated(student), example), "student.pt2")
torch.export.save(torch.export.export(validated(plain), example), "plain.pt2")
