"""The settings that become code of a package, each as a variable and as a key of `torch._inductor.config`.

Variables and keys are those of torch 2.13.0's `torch/_inductor/config.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from aoti_lint.rule import Confidence, Facts, dataclass, judge
from aoti_lint.rule.events import ConfigWrite, EnvWrite
from aoti_lint.rule.torch import INDUCTOR
from aoti_lint.rule.values import Const, Value, leaves


def _one(text: str) -> bool:
    return text == "1"


def _is_printer(text: str) -> bool:
    return text in ("1", "2", "3")


def _is_text(text: str) -> bool:
    return text != ""


@dataclass(frozen=True, slots=True)
class Aid:
    """A setting of Inductor: `what` is how a message speaks of it, `on` which texts of the variable turn it on.

    `debug` says that it is there to find an error, and costs speed.
    """

    variable: str
    key: str
    what: str
    on: Callable[[str], bool] = _one
    debug: bool = True

    def is_on(self, event: EnvWrite | ConfigWrite, value: Value) -> bool | None:
        """Whether a value (no choice) turns it on; None where it is not known."""
        if not isinstance(value, Const):
            return None
        if isinstance(event, EnvWrite):
            return isinstance(value.value, str) and self.on(value.value)
        return self.on(value.value) if isinstance(value.value, str) and self.on is not _one else bool(value.value)


NAN_ASSERTS = Aid("TORCHINDUCTOR_NAN_ASSERTS", "nan_asserts", "NaN asserts")
PRINTER = Aid(
    "AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER", "aot_inductor.debug_intermediate_value_printer",
    "the debug printer", _is_printer,
)  # fmt: skip
FILTER = Aid(
    "AOT_INDUCTOR_FILTERED_KERNELS_TO_PRINT", "aot_inductor.filtered_kernel_names", "the filter of the debug printer",
    _is_text,
)  # fmt: skip
MINIFIER = Aid("DUMP_AOTI_MINIFIER", "aot_inductor.dump_aoti_minifier", "the minifier")
LEVEL = Aid("AOTINDUCTOR_REPRO_LEVEL", "aot_inductor.repro_level", "the minifier's level", _is_text)
DEBUG_COMPILE = Aid("AOT_INDUCTOR_DEBUG_COMPILE", "aot_inductor.debug_compile", "unoptimised C++")
AIDS = (
    NAN_ASSERTS,
    PRINTER,
    FILTER,
    MINIFIER,
    LEVEL,
    DEBUG_COMPILE,
    Aid("AOT_INDUCTOR_DEBUG_SYMBOLS", "aot_inductor.debug_symbols", "debug symbols"),
    Aid("AOT_INDUCTOR_COMPILE_WRAPPER_OPT_LEVEL", "aot_inductor.compile_wrapper_opt_level",
        "the optimisation level of the wrapper", _is_text, debug=False),
    Aid("AOT_INDUCTOR_ENABLE_LTO", "aot_inductor.enable_lto", "link-time optimisation", debug=False),
    Aid("TORCHINDUCTOR_MAX_AUTOTUNE", "max_autotune", "autotuning", debug=False),
    Aid("TORCHINDUCTOR_MAX_AUTOTUNE_GEMM", "max_autotune_gemm", "autotuning", debug=False),
    Aid("TORCHINDUCTOR_MAX_AUTOTUNE_POINTWISE", "max_autotune_pointwise", "autotuning", debug=False),
    Aid("TORCHINDUCTOR_COORDINATE_DESCENT_TUNING", "coordinate_descent_tuning", "coordinate descent tuning",
        debug=False),
    Aid("TORCHINDUCTOR_FREEZING", "freezing", "freezing", debug=False),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Setting:
    """One write of a setting, as a variable or as a key."""

    aid: Aid
    event: EnvWrite | ConfigWrite

    @property
    def name(self) -> str:
        """How it is written there."""
        return self.aid.variable if isinstance(self.event, EnvWrite) else self.aid.key

    def sure(self) -> Confidence | None:
        """How sure it is that this turns it on; None if it does not, as far as is known."""
        verdict = judge([self.event.value], self.event.path, lambda values: self.aid.is_on(self.event, values[0]))
        return None if verdict is None else verdict[0]

    def may_be_on(self) -> bool:
        return any(self.aid.is_on(self.event, v) is not False for _, v in leaves(self.event.value, self.event.path))


def settings(facts: Facts, *wanted: Aid) -> Iterator[Setting]:
    """The writes of some settings, in the order they happen."""
    by_variable, by_key = {aid.variable: aid for aid in wanted}, {aid.key: aid for aid in wanted}
    for event in facts.of(EnvWrite, ConfigWrite):
        aid = None
        if isinstance(event, EnvWrite):
            aid = by_variable.get(event.name)
        elif isinstance(event, ConfigWrite) and event.module == INDUCTOR:
            aid = by_key.get(event.key)
        if aid is not None and isinstance(event, EnvWrite | ConfigWrite):
            yield Setting(aid, event)
