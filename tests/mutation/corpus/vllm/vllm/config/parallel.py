# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Copyright contributors to the vLLM project

from typing import TYPE_CHECKING, Any, Literal, Self, overload


ExpertPlacementStrategy = Literal["linear", "round_robin"]
