"""Runs inside the user's Python processes: sends packages elsewhere, applies settings, notes what happens.

The folder `site` stands first in PYTHONPATH, so that every Python process of the run starts `active` through its
`sitecustomize`. There these modules are the package `_aoti_lint_inside`, loaded by file name: aoti-lint need not be
installed where the user's program runs. They need the standard library of Python 3.8 and, once it is imported, torch.

Whatever fails in here is noted in the events and leaves the user's program as it was.
"""
