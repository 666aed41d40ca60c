"""The fallback catches something else: the name is still missing."""
import torch


def capture(model, args):
    try:
        from torch.export import export_for_training
    except SyntaxError:
        export_for_training = torch.export.export
    return export_for_training(model, args)


if __name__ == "__main__":
    program = capture(torch.nn.ReLU(), (torch.ones(2),))
    print(type(program).__name__)
