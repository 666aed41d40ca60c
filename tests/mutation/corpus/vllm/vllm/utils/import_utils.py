# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Copyright contributors to the vLLM project
# SPDX-FileCopyrightText: Copyright contributors to the vLLM project

import importlib.metadata
import importlib.util
from functools import cache


from vllm.logger import init_logger

logger = init_logger(__name__)


@cache
def _has_module(module_name: str) -> bool:
    try:
        if importlib.util.find_spec(module_name) is None:
            return False
        importlib.import_module(module_name)
    except Exception:
        logger.warning(
            "Module %s was found but failed to import", module_name, exc_info=True
        )
        return False
    return True


def has_deep_gemm() -> bool:
    return _has_module("deep_gemm") or _has_module("vllm.third_party.deep_gemm")
