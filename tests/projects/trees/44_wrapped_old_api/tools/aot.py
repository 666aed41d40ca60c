"""The only module that knows how torch compiles ahead of time."""
import os
from importlib import import_module

import torch
from torch import _export as export_api
from torch._export import aot_compile as _compile


def compile_to(path, model, *args, **options):
    options["aot_inductor.output_path"] = os.path.realpath(path)
    return _compile(model, args, options=options)


def open_library(path, device=None):
    return export_api.aot_load(path, device or "cpu")


def anything(name):
    # plugins name their functions in a config file
    return getattr(import_module("torch._export"), name)
