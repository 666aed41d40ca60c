def aot_compile(f, args, *, options=None):
    import torch._inductor

    return torch._inductor.aot_compile(f, args, options=options)


def aot_load(so_path, device):
    with open(so_path) as file:
        text = file.read()
    return lambda *args: (text, *args)
