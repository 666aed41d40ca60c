import logging

import torch

log = logging.getLogger(__name__)


def scaled(x):
    log.debug("scaling")  # <- AOTI515
    return x * 2


step = torch.compile(lambda x: scaled(x) + 1, fullgraph=True, backend="eager")
step(torch.ones(3))
