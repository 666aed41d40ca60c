"""Runs a failing program again with the flags that make it tell more, until the guilty kernel or op has a name.

`plan` decides what to run, from a symptom, a log or the script; `formats` writes that down as a script. `run` runs a
step of it, in a copy of the folder (`copied`), with `inside` in each process; `read` reads what came out, with the
launches that a package makes (`wrapper`), and `judge` says whom it speaks against. `execution` does so stage by
stage, and decides what to run next; `result` is what is known at the end, which `report` tells and `repro` runs
alone.
"""
