import logging
import os

import torch

log = logging.getLogger(__name__)


def load_or_build(path, build):
    """The package at `path`; made new if it is missing or of another torch."""
    try:
        if not os.path.exists(path):
            raise FileNotFoundError(path)
        return torch._inductor.aoti_load_package(path)
    except (FileNotFoundError, RuntimeError) as problem:
        log.warning("making %s again: %s", path, problem)
        torch._inductor.aoti_compile_and_package(build(), package_path=path)
        return torch._inductor.aoti_load_package(path)
