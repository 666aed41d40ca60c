"""C++ and CUDA sources: which custom operators they register, and what the kernels read."""
