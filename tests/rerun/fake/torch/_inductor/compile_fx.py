import contextlib

from torch._inductor import config


def compile_fx_aot(model, inputs, config_patches=None):
    path = (config_patches or {}).get("aot_inductor.output_path")
    if path:
        with open(path, "w") as file:
            file.write("library")
    return compile_fx(model, inputs, config_patches=config_patches) if not path else path


def compile_fx(model, inputs, config_patches=None):
    with config.patch(config_patches) if config_patches else contextlib.nullcontext():
        return f"pattern_matcher={config.pattern_matcher}"
