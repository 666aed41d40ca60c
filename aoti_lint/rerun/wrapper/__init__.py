"""Reads the wrapper that AOTInductor writes for a model: the statements, and the launches that they make.

`package` reads the sources out of the package, `statements` what its `run_impl` does, as the `calls` that it makes;
`arguments` are those written in C++, `launches` says which tensors each reads and writes, and where it comes from.
"""
