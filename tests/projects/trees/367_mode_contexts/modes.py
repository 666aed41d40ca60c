from contextlib import ExitStack, contextmanager

import torch


@contextmanager
def evaluating(*models):
    """The models in eval mode; afterwards as they were."""
    were = [model.training for model in models]
    try:
        for model in models:
            model.eval()
        yield
    finally:
        for model, training in zip(models, were):
            model.train(training)


@contextmanager
def frozen(model):
    with ExitStack() as stack:
        stack.enter_context(torch.no_grad())
        stack.enter_context(evaluating(model))
        yield model
