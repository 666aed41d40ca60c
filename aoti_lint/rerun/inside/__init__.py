"""Runs inside the user's Python processes: sends packages elsewhere, applies settings, notes what happens.

The folder `site` stands first in PYTHONPATH, so that every Python process of the run starts `active` through its
`sitecustomize`. There these modules are the package `_aoti_lint_inside`, loaded by file name: aoti-lint need not be
installed where the user's program runs. They need the standard library of Python 3.8 and, once it is imported, torch.

`files` is about files of the user, `calls` notes what is called, `exported` runs exported programs. `profiled.py` and
`fence.c` are of use to plans: one runs a script under a profiler, the other is preloaded.

Whatever fails in here is noted in the events and leaves the user's program as it was.
"""

import os

INSIDE = os.path.dirname(os.path.abspath(__file__))
