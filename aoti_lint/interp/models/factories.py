"""Functions of torch that make tensors: from sizes, from data, like another one."""
