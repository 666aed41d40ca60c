# Copyright (c) Meta Platforms, Inc. and affiliates.
# All rights reserved.
#
# This source code is licensed under the BSD 3-Clause license found in the
# LICENSE file in the root directory of this source tree.
import importlib
import re

import torch


def parse_version(version_string):
    # Check for pre-release indicators
    is_prerelease = bool(re.search(r"(git|dev)", version_string))
    match = re.match(r"(\d+)\.(\d+)\.(\d+)", version_string)
    if match:
        major, minor, patch = map(int, match.groups())
        if is_prerelease:
            patch = -1
        return [major, minor, patch]
    else:
        raise ValueError(f"Invalid version string format: {version_string}")


def is_fbcode():
    return not hasattr(torch.version, "git_version")


def is_ROCM():
    return torch.cuda.is_available() and torch.version.hip is not None


def is_MI300():
    if is_ROCM():
        mxArchName = ["gfx940", "gfx941", "gfx942"]
        archName = torch.cuda.get_device_properties(0).gcnArchName
        for arch in mxArchName:
            if arch in archName:
                return True
    return False


def ceil_div(a, b):
    return (a + b - 1) // b


def _is_mslk_available():
    has_mslk = importlib.util.find_spec("mslk") is not None or is_fbcode()
    if not has_mslk:
        return False

    import mslk  # noqa: F401

    return True


def is_mslk_version_at_least(min_version: str) -> bool:
    if not _is_mslk_available():
        return False
    import mslk

    return parse_version(mslk.__version__) >= parse_version(min_version)
