# Copyright (c) Meta Platforms, Inc. and affiliates.
# All rights reserved.
#
# This source code is licensed under the BSD 3-Clause license found in the
# LICENSE file in the root directory of this source tree.


import torch


def _group_sizes_tensor(group_end_offsets: torch.Tensor) -> torch.Tensor:
    assert group_end_offsets.dtype == torch.int32, "group_end_offsets must be int32"
    return torch.diff(
        group_end_offsets,
        prepend=group_end_offsets.new_zeros(1),
    )


def group_sizes_from_offsets(group_end_offsets: torch.Tensor) -> list[int]:
    """Convert cumulative int32 group end offsets to host-side group sizes."""

    assert group_end_offsets is not None and group_end_offsets.dtype == torch.int32, (
        "group_end_offsets must be int32"
    )
    return _group_sizes_tensor(group_end_offsets).tolist()
