# Copyright 2023-2026 SGLang Team
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
# ==============================================================================


from _left_out import RuntimeContext
import functools
from contextlib import contextmanager
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, Dict, Optional

import msgspec


if TYPE_CHECKING:
    from sglang.srt.model_executor.runner_utils.pool import GraphPoolBorrowState
    from sglang.srt.server_args import ServerArgs


@functools.lru_cache(maxsize=1)
def _parallel_config_leaves() -> frozenset:
    """Return configured parallel field names, including before publication."""
    from sglang.srt.arg_groups.arg_utils import namespace_of
    from sglang.srt.server_args import ServerArgs

    return frozenset(
        field
        for field, path in namespace_of(ServerArgs).items()
        if path.split(".")[0] == "parallel"
    )


@functools.lru_cache(maxsize=1)
def _parallel_fields() -> frozenset:
    """Return configured and derived parallel names accepted by overrides."""
    from sglang.srt.arg_groups.arg_utils import Derived
    from sglang.srt.arg_groups.fields.parallel import Parallel

    derived = {
        name for name, decl in vars(Parallel).items() if isinstance(decl, Derived)
    }
    return frozenset(_parallel_config_leaves() | derived)


_RANK_AND_WIDTH = (
    ("tp_rank", "tp_size"),
    ("pp_rank", "pp_size"),
    ("attn_tp_rank", "attn_tp_size"),
    ("attn_dp_rank", "attn_dp_size"),
    ("attn_cp_rank", "attn_cp_size"),
    ("moe_ep_rank", "moe_ep_size"),
)

_WIDTH_AND_GROUP = (
    ("tp_size", "tp_group"),
    ("pp_size", "pp_group"),
    ("attn_tp_size", "attn_tp_group"),
    ("attn_cp_size", "attn_cp_group"),
    ("moe_ep_size", "moe_ep_group"),
)

_UNREADABLE = object()


def _validate_parallel(parallel, source: str) -> None:

    def read(name):
        """Return an integer topology value, or ``_UNREADABLE``; exclude booleans."""
        try:
            value = getattr(parallel, name)
        except Exception:
            return _UNREADABLE
        if isinstance(value, bool) or not isinstance(value, int):
            return _UNREADABLE
        return value

    problems = []

    for rank_name, size_name in _RANK_AND_WIDTH:
        rank, size = read(rank_name), read(size_name)
        if _UNREADABLE in (rank, size):
            continue
        if not 0 <= rank < size:
            problems.append(
                f"0 <= {rank_name} < {size_name}\n  {rank} is not a rank of {size}"
            )

    terms = ("tp_size", "attn_tp_size", "attn_dp_size", "attn_cp_size")
    tp_size, a_tp, a_dp, a_cp = (read(n) for n in terms)
    if _UNREADABLE not in (tp_size, a_tp, a_dp, a_cp):
        if tp_size != a_tp * a_dp * a_cp:
            problems.append(
                "tp_size == attn_tp_size * attn_dp_size * attn_cp_size\n"
                f"  {tp_size} != {a_tp} * {a_dp} * {a_cp} (= {a_tp * a_dp * a_cp})"
            )

    moe_terms = ("tp_size", "moe_ep_size", "moe_dp_size", "moe_tp_size")
    tp_size, m_ep, m_dp, m_tp = (read(n) for n in moe_terms)
    if _UNREADABLE not in (tp_size, m_ep, m_dp, m_tp):
        if tp_size != m_ep * m_dp * m_tp:
            problems.append(
                "tp_size == moe_ep_size * moe_dp_size * moe_tp_size\n"
                f"  {tp_size} != {m_ep} * {m_dp} * {m_tp} (= {m_ep * m_dp * m_tp})"
            )

    layout_terms = (
        "tp_rank",
        "attn_dp_rank",
        "attn_cp_rank",
        "attn_tp_rank",
        "attn_cp_size",
        "attn_tp_size",
    )
    tp_rank, r_dp, r_cp, r_tp, w_cp, w_tp = (read(n) for n in layout_terms)
    if _UNREADABLE not in (tp_rank, r_dp, r_cp, r_tp, w_cp, w_tp):
        laid_out = (r_dp * w_cp + r_cp) * w_tp + r_tp
        if tp_rank != laid_out:
            problems.append(
                "tp_rank == (attn_dp_rank * attn_cp_size + attn_cp_rank)"
                " * attn_tp_size + attn_tp_rank\n"
                f"  {tp_rank} != ({r_dp} * {w_cp} + {r_cp})"
                f" * {w_tp} + {r_tp} (= {laid_out})"
            )

    for size_name, group_name in _WIDTH_AND_GROUP:
        size = read(size_name)
        if size is _UNREADABLE:
            continue
        try:
            group = getattr(parallel, group_name)
        except Exception:
            continue
        built = getattr(group, "world_size", _UNREADABLE)
        if isinstance(built, int) and not isinstance(built, bool) and built != size:
            problems.append(
                f"{group_name}.world_size == {size_name}\n"
                f"  built {built}, configured {size}"
            )

    if problems:
        raise ValueError(
            f"parallel topology is inconsistent (set by {source}):\n"
            + "\n".join(problems)
        )


class ParallelContext:

    __slots__ = ("_overrides", "_stamp", "_config")

    def __init__(self):
        self._overrides = {}  # scoped, restored when the `with` block exits
        self._stamp = {}  # permanent for the process, dropped by clear_stamp
        self._config = None  # parallel config bag, wired at publish

    def __getattr__(self, name):
        if name.startswith("_"):
            # This also breaks the recursion when the ``_config`` slot itself is
            # still unset (pickle/copy protocols probe attributes before
            # __init__ runs).
            raise AttributeError(name)
        return self._read(name)

    def _read(self, name):
        """Read a scoped override, permanent override, or published value, in order."""
        overrides = self._overrides
        if name in overrides:
            return overrides[name]
        stamp = self._stamp
        if name in stamp:
            return stamp[name]
        config = self._config
        if config is not None and name in config._fields:
            return getattr(config, name)
        if config is None and name in _parallel_config_leaves():
            raise ValueError("config namespace 'parallel' not published")
        declared = _derived_widths().get(name)
        if declared is not None and not declared.fn:
            raise RuntimeError(
                f"parallel name {name!r} has not been written in this process. "
                + declared.doc
                + f" Write it by publishing a rank bundle or building the groups, "
                f"or state it with get_parallel().override({name}=...)"
            )
        if declared is not None:
            raise RuntimeError(
                f"derived parallel width {name!r} is not available: it is computed "
                "from the configured leaves at publish, and permanently corrected "
                "when the process groups are built. Nothing is published and "
                "nothing has been set with override_permanently -- publish a "
                f"parallel config, or state the width with get_parallel().override({name}=...)"
            )
        raise AttributeError(f"ParallelContext has no {name!r}")

    def override_permanently(self, **values) -> None:
        unknown = set(values) - _parallel_fields()
        if unknown:
            raise ValueError(f"unknown parallel field(s): {sorted(unknown)}")
        saved = dict(self._stamp)
        self._stamp.update(values)
        try:
            _validate_parallel(self, "override_permanently")
        except Exception:
            self._stamp = saved
            raise

    def clear_stamp(self) -> None:
        """Drop every stamped name, ranks included."""
        self._stamp.clear()

    @contextmanager
    def override(self, **kwargs):
        unknown = set(kwargs) - _parallel_fields()
        if unknown:
            raise ValueError(f"unknown parallel field(s): {sorted(unknown)}")
        saved = dict(self._overrides)
        self._overrides.update(kwargs)
        try:
            _validate_parallel(self, "override")
        except Exception:
            self._overrides = saved
            raise
        try:
            yield self
        finally:
            self._overrides = saved


def _derived_widths() -> dict:
    """Return parallel ``Derived`` declarations, including ranks and groups."""
    from sglang.srt.arg_groups.arg_utils import Derived
    from sglang.srt.arg_groups.fields.parallel import Parallel

    return {
        name: decl for name, decl in vars(Parallel).items() if isinstance(decl, Derived)
    }


class _FlagGroupBase(msgspec.Struct):

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in type(self).__struct_fields__:
            raise AttributeError(
                f"{type(self).__name__} has no flag '{name}' (leaves are "
                "declared as struct fields; check for typos)"
            )
        super().__setattr__(name, value)

    @contextmanager
    def override(self, **kwargs):
        fields = type(self).__struct_fields__
        unknown = set(kwargs) - set(fields)
        if unknown:
            raise ValueError(
                f"unknown flag(s) for {type(self).__name__}: {sorted(unknown)}"
            )
        saved = {name: getattr(self, name) for name in kwargs}
        for name, value in kwargs.items():
            setattr(self, name, value)
        try:
            yield self
        finally:
            for name, value in saved.items():
                setattr(self, name, value)


class Resources(_FlagGroupBase):

    # CUDA graph memory pool shared across the prefill and decode graph
    # backends (created lazily by model_executor.runner_utils.pool).
    graph_memory_pool: Any = None
    graph_pool_borrow: GraphPoolBorrowState | None = None
    # EPLB: per-process recorder and the publish-once location metadata
    # (owning accessors live in sglang.srt.eplb).
    expert_distribution_recorder: Any = None
    expert_location_metadata: Any = None
    # LPLB: layer_id -> solver.
    lplb_solvers: dict = msgspec.field(default_factory=dict)
    # Named side streams (see RuntimeContext.get_stream): name -> stream.
    streams: dict = msgspec.field(default_factory=dict)
    # Named persistent buffers (see RuntimeContext.get_buffer): name -> tensor.
    # Accessors with bespoke semantics (grow-only, per-device keys) manage
    # their entries directly.
    buffers: dict = msgspec.field(default_factory=dict)
    # Persistent reusable CUDA events for non-EP DP TBO, keyed by
    # (kind, subbatch) — see dp_attention._tbo_event for why reuse matters.
    tbo_event_pool: dict = msgspec.field(default_factory=dict)
    # State capturers (installed by their subsystems when capture is on).
    indexer_capturer: Any = None
    experts_capturer: Any = None
    # The shared TCPStore created during distributed initialization.
    tcp_store: Any = None
    # Trace verbosity; the accessor seeds it lazily from SGLANG_TRACE_LEVEL.
    trace_level: Any = None


class LoRABatchLayout(Enum):
    """Token layout used by LoRA kernels in the current model section."""

    DP_LOCAL = auto()
    TP_GLOBAL = auto()


class ForwardFlags:

    _DEFAULTS = {
        "multi_stream": False,
        "moe_output_buffer": None,
        # Attention-TP input-scattering (set per forward by
        # AttnTpContext.maybe_input_scattered / set_attn_inputs).
        "attn_input_scattered": False,
        "attn_inputs": None,
        # Sticky across forwards: every ForwardBatch construction writes it;
        # graph runners force False around capture.
        "is_extend_in_batch": False,
        # Per-layer MLP collective control (set by decoder via scoped()
        # around the MLP / MoE / hybrid mixer call).
        # mlp_reduce_scatter: postprocess will reduce-scatter (skip MLP AR).
        # flashinfer_trtllm_bypass: deepseek dual-stream graph topk bypass.
        # defer_moe_finalize: next layer's fused collective absorbs the finalize.
        "mlp_reduce_scatter": False,
        "flashinfer_trtllm_bypass": False,
        "defer_moe_finalize": False,
        # Attention runs on a DP-local token batch. The MLP runs after the DP
        # gather and therefore uses the TP-global token batch.
        "lora_batch_layout": LoRABatchLayout.DP_LOCAL,
        # LayerNorm sequence parallelism region; see layers/layernorm_sp.py.
        "sp_active": False,
        # This forward's MoE runs on attention-TP-local token slices (the
        # ForwardBatch.attn_tp_sequence_sharded decision, stamped by the model
        # that slices); read by the benchmark routing override.
        "attn_tp_sequence_sharded": False,
    }

    # Read/written inside compiled graphs (vocab embedding, layer boundaries,
    # EP dispatch, DP gather/scatter, MLP/MoE skip-AR): plain-slot backed.
    # Before moving a flag out of this set, prove no read/write site sits
    # under torch.compile.
    _GRAPH_VISIBLE = frozenset(
        {
            "attn_input_scattered",
            "attn_inputs",
            "is_extend_in_batch",
            "mlp_reduce_scatter",
            "flashinfer_trtllm_bypass",
            "defer_moe_finalize",
            "lora_batch_layout",
            "sp_active",
            "attn_tp_sequence_sharded",
        }
    )

    __slots__ = ("_vars", "_plain")

    def __init__(self):
        import contextvars

        object.__setattr__(
            self,
            "_plain",
            {
                name: default
                for name, default in self._DEFAULTS.items()
                if name in self._GRAPH_VISIBLE
            },
        )
        object.__setattr__(
            self,
            "_vars",
            {
                name: contextvars.ContextVar(f"forward.{name}", default=default)
                for name, default in self._DEFAULTS.items()
                if name not in self._GRAPH_VISIBLE
            },
        )

    def __getattr__(self, name: str) -> Any:
        plain = self._plain
        if name in plain:
            return plain[name]
        try:
            return self._vars[name].get()
        except KeyError:
            raise AttributeError(
                f"ForwardFlags has no flag '{name}' (flags are declared in "
                "ForwardFlags._DEFAULTS; check for typos)"
            ) from None

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(
            "ForwardFlags is written through scoped(**kw) (or the legacy "
            "set() shim), never by attribute assignment"
        )

    def set(self, name: str, value: Any) -> None:
        if name in self._plain:
            self._plain[name] = value
        else:
            self._vars[name].set(value)

    @contextmanager
    def scoped(self, **kwargs):
        unknown = set(kwargs) - set(self._DEFAULTS)
        if unknown:
            raise ValueError(f"unknown forward flag(s): {sorted(unknown)}")
        plain_saved = [
            (name, self._plain[name]) for name in kwargs if name in self._plain
        ]
        tokens = []
        for name, value in kwargs.items():
            if name in self._plain:
                self._plain[name] = value
            else:
                tokens.append((self._vars[name], self._vars[name].set(value)))
        try:
            yield self
        finally:
            for var, token in reversed(tokens):
                var.reset(token)
            for name, value in reversed(plain_saved):
                self._plain[name] = value


_PARALLEL = ParallelContext()
_CONTEXT = RuntimeContext(parallel=_PARALLEL)


def get_parallel() -> ParallelContext:
    return _PARALLEL


def get_resources() -> Resources:
    return _CONTEXT.resources


def get_forward() -> ForwardFlags:
    return _CONTEXT.forward
