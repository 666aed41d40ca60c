from _left_out import _execute
import torch


def _metadata(source, values):
    return source.new_empty((*source.shape[:-1], values.shape[0]), dtype=torch.bfloat16)


@torch.library.custom_op("b12x::blockscaled_bf16", mutates_args=())
def _functional(
    source: torch.Tensor,
    values: torch.Tensor,
    scales: torch.Tensor,
    global_scale: torch.Tensor | None,
    activation_scale: torch.Tensor | None,
    global_scale_kind: str,
    stream: int | None,
    plan_handle: int,
    required_mode: str,
    expected_m: int | None = None,
) -> torch.Tensor:
    return _execute(
        source,
        values,
        scales,
        global_scale,
        activation_scale,
        None,
        None,
        global_scale_kind,
        stream,
        plan_handle,
        required_mode,
        expected_m,
    )


@_functional.register_fake
def _functional_fake(
    source: torch.Tensor,
    values: torch.Tensor,
    scales: torch.Tensor,
    global_scale: torch.Tensor | None,
    activation_scale: torch.Tensor | None,
    global_scale_kind: str,
    stream: int | None,
    plan_handle: int,
    required_mode: str,
    expected_m: int | None = None,
) -> torch.Tensor:
    return _metadata(source, values)


@torch.library.custom_op(
    "b12x::blockscaled_bf16_workspace", mutates_args=("workspace",)
)
def _functional_workspace(
    source: torch.Tensor,
    values: torch.Tensor,
    scales: torch.Tensor,
    global_scale: torch.Tensor | None,
    activation_scale: torch.Tensor | None,
    workspace: torch.Tensor,
    global_scale_kind: str,
    stream: int | None,
    plan_handle: int,
    required_mode: str,
    expected_m: int | None = None,
) -> torch.Tensor:
    return _execute(
        source,
        values,
        scales,
        global_scale,
        activation_scale,
        workspace,
        None,
        global_scale_kind,
        stream,
        plan_handle,
        required_mode,
        expected_m,
    )


@_functional_workspace.register_fake
def _functional_workspace_fake(
    source: torch.Tensor,
    values: torch.Tensor,
    scales: torch.Tensor,
    global_scale: torch.Tensor | None,
    activation_scale: torch.Tensor | None,
    workspace: torch.Tensor,
    global_scale_kind: str,
    stream: int | None,
    plan_handle: int,
    required_mode: str,
    expected_m: int | None = None,
) -> torch.Tensor:
    return _metadata(source, values)


@torch.library.custom_op("b12x::blockscaled_bf16_out", mutates_args=("out",))
def _out(
    source: torch.Tensor,
    values: torch.Tensor,
    scales: torch.Tensor,
    global_scale: torch.Tensor | None,
    activation_scale: torch.Tensor | None,
    out: torch.Tensor,
    global_scale_kind: str,
    stream: int | None,
    plan_handle: int,
    required_mode: str,
    expected_m: int | None = None,
) -> None:
    _execute(
        source,
        values,
        scales,
        global_scale,
        activation_scale,
        None,
        out,
        global_scale_kind,
        stream,
        plan_handle,
        required_mode,
        expected_m,
    )


@_out.register_fake
def _out_fake(
    source: torch.Tensor,
    values: torch.Tensor,
    scales: torch.Tensor,
    global_scale: torch.Tensor | None,
    activation_scale: torch.Tensor | None,
    out: torch.Tensor,
    global_scale_kind: str,
    stream: int | None,
    plan_handle: int,
    required_mode: str,
    expected_m: int | None = None,
) -> None:
    del (
        source,
        values,
        scales,
        global_scale,
        activation_scale,
        out,
        global_scale_kind,
        stream,
        plan_handle,
    )


@torch.library.custom_op(
    "b12x::blockscaled_bf16_out_workspace", mutates_args=("out", "workspace")
)
def _out_workspace(
    source: torch.Tensor,
    values: torch.Tensor,
    scales: torch.Tensor,
    global_scale: torch.Tensor | None,
    activation_scale: torch.Tensor | None,
    out: torch.Tensor,
    workspace: torch.Tensor,
    global_scale_kind: str,
    stream: int | None,
    plan_handle: int,
    required_mode: str,
    expected_m: int | None = None,
) -> None:
    _execute(
        source,
        values,
        scales,
        global_scale,
        activation_scale,
        workspace,
        out,
        global_scale_kind,
        stream,
        plan_handle,
        required_mode,
        expected_m,
    )


@_out_workspace.register_fake
def _out_workspace_fake(
    source: torch.Tensor,
    values: torch.Tensor,
    scales: torch.Tensor,
    global_scale: torch.Tensor | None,
    activation_scale: torch.Tensor | None,
    out: torch.Tensor,
    workspace: torch.Tensor,
    global_scale_kind: str,
    stream: int | None,
    plan_handle: int,
    required_mode: str,
    expected_m: int | None = None,
) -> None:
    del (
        source,
        values,
        scales,
        global_scale,
        activation_scale,
        out,
        workspace,
        global_scale_kind,
        stream,
        plan_handle,
    )
