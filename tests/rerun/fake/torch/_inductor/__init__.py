def aoti_compile_and_package(exported_program, *, package_path=None, inductor_configs=None):
    from torch._inductor.package import package_aoti

    files = aot_compile(exported_program, (), options=inductor_configs)
    result = package_aoti(package_path, [files])
    assert result == package_path
    return result


def aoti_load_package(path):
    from torch._inductor.package import load_package

    return load_package(path)


def aot_compile(gm, args, *, options=None):
    from .compile_fx import compile_fx_aot

    return compile_fx_aot(gm, [], config_patches=options)
