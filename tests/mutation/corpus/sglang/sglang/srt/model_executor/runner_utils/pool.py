# Copyright 2023-2026 SGLang Team
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
# ==============================================================================


from dataclasses import dataclass, field
from functools import cache
from typing import Any, Iterator, Optional

import torch

from sglang.srt.utils.cuda_vmm_utils import BumpArenaStub


@dataclass(eq=False)
class GraphPoolBorrowState:
    """Mutable borrowing state and free-run cache for one runtime."""

    active_user: Optional[str] = None
    stub: Optional[BumpArenaStub] = None
    mem_pool: Optional[torch.cuda.MemPool] = None
    stream: Optional[torch.cuda.Stream] = None
    disabled_reason: Optional[str] = None
    static_runs: Optional[list[tuple[int, int]]] = None
    check_pending: bool = False
    extents_total: int = 0
    largest_logged_borrow: int = 0
    snapshot_free_runs: Any = field(
        default_factory=lambda: cache(find_free_graph_pool_runs), init=False, repr=False
    )


def find_free_graph_pool_runs(pool_id: Any) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for segment in torch.cuda.memory_snapshot(pool_id, include_traces=False):
        run_address = 0
        run_bytes = 0
        for block in segment["blocks"]:
            if block["state"] == "inactive":
                if run_bytes == 0:
                    run_address = block["address"]
                run_bytes += block["size"]
                continue
            if run_bytes:
                runs.append((run_address, run_bytes))
            run_bytes = 0
        if run_bytes:
            runs.append((run_address, run_bytes))
    runs.sort(key=lambda run: run[1], reverse=True)
    return runs
