"""Custom ops: definitions, fakes and kernels, in Python and in C++."""
