"""Runs a failing program again with the flags that make it tell more, until the guilty kernel or op has a name.

`plan` decides what to run, from a symptom, a log or the script; `children` runs it, with `inside` in each process;
`hunt` reads what came out and decides what to run next; `result` is what is known at the end.
"""
