from sglang.kernels.jit.utils.common import (
    aligned_new_empty,
    cache_once,
    device_guard,
    empty_sentinel,
    get_ci_test_range,
    is_hip_runtime,
    is_musa_runtime,
    lazy_register_class,
    should_run_full_tests,
)
from sglang.kernels.jit.utils.compile import (
    KERNEL_PATH,
    cuda_stubs_dir,
    load_jit,
    make_cpp_args,
    parallel_compile,
)
