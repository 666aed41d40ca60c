"""Calls that torch's tracer of Python code (`torch.compile`, and `torch.export` with `strict=True`) does not take.

Each was compiled with `fullgraph=True` and exported with `strict=True` on torch 2.13; what one of them takes is not
here. A handler around the call does not help.
"""

from __future__ import annotations

_OF = {
    "builtins": "open exec globals eval compile dir memoryview bytes bytearray",
    "time": "time time_ns perf_counter perf_counter_ns monotonic monotonic_ns process_time process_time_ns thread_time "
    "sleep strftime ctime localtime gmtime asctime",
    "datetime": "datetime.now datetime.utcnow datetime.today date.today",
    "random": "random choice choices shuffle sample gauss seed getstate setstate normalvariate expovariate betavariate "
    "triangular getrandbits randbytes",
    "io": "BytesIO StringIO",
    "os": "getpid getcwd listdir cpu_count makedirs mkdir system urandom walk scandir stat putenv",
    "os.path": "exists isfile isdir getsize abspath",
    "pathlib": "Path.cwd",
    "subprocess": "run check_output Popen",
    "socket": "gethostname",
    "shutil": "rmtree copy",
    "glob": "glob",
    "tempfile": "mkdtemp NamedTemporaryFile",
    "gc": "collect disable",
    "threading": "current_thread get_ident Lock Thread",
    "pickle": "dumps dump",
    "inspect": "stack currentframe getsource getsourcelines getfile",
    "sys": "_getframe getsizeof getrefcount setrecursionlimit",
    "traceback": "format_stack print_stack extract_stack",
    "uuid": "uuid4",
    "importlib": "import_module",
    "warnings": "simplefilter filterwarnings resetwarnings",
    "numpy": "save random.default_rng",
    "torch": "save load manual_seed random.manual_seed get_rng_state set_rng_state initial_seed Generator "
    "set_num_threads get_num_threads cuda.device_count cuda.manual_seed cuda.manual_seed_all cuda.memory_allocated "
    "utils.data.DataLoader utils.data.default_collate from_dlpack utils.dlpack.to_dlpack utils.dlpack.from_dlpack "
    "nn.utils.weight_norm optim.SGD optim.Adam jit.script export.export",
    "torch.autograd": "backward functional.jacobian functional.hessian functional.vjp Variable set_detect_anomaly "
    "detect_anomaly graph.saved_tensors_hooks graph.save_on_cpu",
    "torch.nn.utils.rnn": "pack_padded_sequence pack_sequence",
}
GRADIENTS = "torch.autograd.grad"
"""It is taken with `torch._dynamo.config.trace_autograd_ops`."""
CALLS = frozenset({GRADIENTS} | {
    name if space == "builtins" else f"{space}.{name}" for space, names in _OF.items() for name in names.split()
})  # fmt: skip
_METHODS = {
    (
        "Tensor",
        "torch.Tensor",
    ): "backward storage_offset retain_grad storage is_pinned is_shared share_memory_ resize_ "
    "resize_as_ set_ _is_view __dlpack__",
    ("Path", "pathlib.Path"): "exists is_file is_dir is_symlink stat owner samefile resolve iterdir glob rglob touch "
    "mkdir rmdir unlink open read_text read_bytes write_text write_bytes",
}
TOLD = {(kind, name): f"{cls}.{name}" for (kind, cls), names in _METHODS.items() for name in names.split()}
"""Methods, by the kind of their object, with what a call of one is told as."""
REFUSED = CALLS | frozenset(TOLD.values())
"""All of them, by their names."""
DRAWN = frozenset({"random.randint", "random.randrange", "random.uniform"})
"""What a compiled function is given anew at each call, and a strict export does not take."""
