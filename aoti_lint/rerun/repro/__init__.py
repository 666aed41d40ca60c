"""Writes a script that runs one launch of a compiled model alone, on the tensors that were saved around it.

`saved` says which file has what a tensor was at a launch; `kernel`, `extern` and `triton` write the call of each kind
of launch, `write` the script.
"""
