# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Copyright contributors to the vLLM project


def cdiv(a: int, b: int) -> int:
    """Ceiling division."""
    return -(a // -b)
