# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Copyright contributors to the vLLM project
from typing import TYPE_CHECKING


from .interface import CpuArchEnum, Platform, PlatformEnum, in_wsl


if TYPE_CHECKING:
    current_platform: Platform
