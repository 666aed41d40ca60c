from sglang.srt.model_executor.runner_backend_utils.tc_piecewise_cuda_graph.context_manager import (  # noqa: F401
    TCPCG_FAILURE_HINT,
    TcPiecewiseForwardContext,
    enable_tc_piecewise_cuda_graph,
    get_tc_piecewise_forward_context,
    is_in_tc_piecewise_cuda_graph,
    set_tc_piecewise_forward_context,
)
