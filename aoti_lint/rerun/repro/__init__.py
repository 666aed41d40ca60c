"""Writes a script that runs one launch of a compiled model alone, on the tensors that were saved around it.

`package` reads the sources out of the package, `run` what its `run_impl` does, `cpp` the arguments written in C++,
`saved` which file has what a tensor was at a launch; `kernel`, `extern`, `operator` and `triton` write the call of each
kind of launch, `write` the script.
"""
