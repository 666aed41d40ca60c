"""What asks for the values in tensors, by name: functions of Python, `math`, NumPy and torch. Run on torch 2.13."""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.language.flow.lasting import every_node
from aoti_lint.models.tensors import array_ops

ANSWERS = frozenset({"equal", "allclose", "is_nonzero"})
"""Functions and methods of torch that answer yes or no by the values of tensors."""
ASSERT = "torch._assert"
TRUTHS = frozenset({"bool", ASSERT})
"""Functions that ask for the truth of what they are given."""
NUMBERS = frozenset({"int", "float", "complex", "operator.index", "chr"})
COPIES = frozenset({"copy.copy", "copy.deepcopy"})
OF_MATH = frozenset({
    "sqrt", "exp", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh",
    "fabs", "isnan", "isinf", "isfinite", "degrees", "radians", "erf", "gamma", "expm1", "cbrt", "exp2", "atan2",
    "hypot", "fmod", "copysign", "isclose",
})  # fmt: skip
"""Functions of `math` that need the number (each run on a tensor and on what `.item()` gave)."""
LENIENT = frozenset({"sqrt", "radians"})
"""Those that a strict export takes what `.item()` gave."""
ROUNDING = frozenset({"floor", "ceil", "trunc"})
"""Those that need it of a tensor, and make a symbol of what `.item()` gave."""
PUT_TOGETHER = frozenset({
    "torch.tensor", "torch.as_tensor", "torch.Tensor", "torch.FloatTensor", "torch.LongTensor", "torch.DoubleTensor",
    "torch.IntTensor", "torch.BoolTensor", "torch.HalfTensor",
})  # fmt: skip
"""Functions that make a tensor of a list, and copy the numbers in it."""
STACKING = frozenset({"numpy.stack", "numpy.concatenate", "numpy.array", "numpy.asarray", "numpy.vstack"})
"""Functions of NumPy that make an array of a list."""
OF_LISTS = PUT_TOGETHER | STACKING
"""Both."""
OF_TYPES = frozenset({"shape", "ndim", "size", "isscalar", "iterable"})
"""Functions of NumPy that ask a tensor for what it says of itself."""
ONE_HOT = "torch.nn.functional.one_hot"
LOOKING = frozenset({"any", "all", "sorted"})
"""Functions of Python that ask for the truth of the rows of a tensor, or of how they compare."""
APPLIED = frozenset({"apply_", "map_", "map2_"})
"""Methods that give each element to a function of Python."""
DRAWING = frozenset({
    *(f"time.{name}" for name in ("time", "time_ns", "monotonic", "perf_counter", "process_time")),
    *(f"datetime.{name}" for name in ("datetime.now", "datetime.utcnow", "datetime.today", "date.today")),
    *(f"{maker}.{name}" for maker in ("random", "random.Random") for name in (
        "random", "uniform", "randint", "randrange", "gauss", "normalvariate", "choice", "betavariate", "triangular",
        "choices", "sample",
    )),
    *(f"numpy.random.{name}" for name in (
        "rand", "randn", "random", "uniform", "randint", "normal", "choice", "beta", "binomial", "poisson",
        "permutation", "standard_normal",
    )),
    *(f"{array_ops.GENERATOR}.{name}" for name in (
        *array_ops.SIZED, "rand", "randn", "choice", "beta", "binomial", "permutation",
    )),
})  # fmt: skip
"""Functions that draw a number or read a clock; an export that does not trace Python's code makes a constant of it."""
CLOCKS = ("time.", "datetime.")
"""What those begin with that read a clock."""
SHUFFLING = frozenset(
    {"random.shuffle", "random.Random.shuffle", "numpy.random.shuffle", f"{array_ops.GENERATOR}.shuffle"}
)
"""Functions that draw an order, and put what they are given into it."""
SEEDING = frozenset({"torch.manual_seed", "torch.random.manual_seed"})
"""Functions that set a seed, which is no part of the program of an export that does not trace Python's code."""
RANDOM = frozenset({
    *(f"torch.{name}" for name in (
        "rand", "rand_like", "randn", "randn_like", "randint", "randint_like", "randperm", "normal", "bernoulli",
        "multinomial", "poisson",
    )),
    "torch.nn.functional.gumbel_softmax",
})  # fmt: skip
"""Functions that draw tensors, which stay part of the program."""
UNKNOWN_TO_TENSORS = frozenset({"round", "divmod"})
"""Functions of Python that an export's tensors do not have."""
LISTING = frozenset({"list", "tuple", "torch.unbind"})
APART = frozenset({"tolist", "unbind"})
"""Functions and methods that make a list, or tuple, of the rows of a tensor."""
KEEPING = frozenset({
    "sqrt", "rsqrt", "exp", "exp2", "expm1", "sigmoid", "tanh", "tan", "relu", "reciprocal", "logsumexp", "softmax",
    "log_softmax", "logsigmoid", "norm", "vector_norm", "amax", "amin", "std", "cumprod", "logcumsumexp", "normalize",
    "layer_norm", "linear", "cosine_similarity", "pairwise_distance", "cdist", "dist", "l1_loss", "cross_entropy",
    "scaled_dot_product_attention", "ReLU", "Sigmoid", "Tanh", "Softmax", "LogSoftmax", "LogSigmoid", "LayerNorm",
    "Linear",
})  # fmt: skip
"""Functions and layers whose derivatives are made of their results (each exported on torch 2.13)."""


def only_logs(name: str, statement: nodes.Node | None) -> bool:
    """Whether nothing but what is logged can hang on a number of this function, by which a statement goes either way.

    So it is where a clock is read, and neither way binds a name or gives something back.
    """
    if not name.startswith(CLOCKS) or not isinstance(statement, nodes.If):
        return False
    return not any(
        isinstance(one, nodes.Return)
        or (isinstance(one, nodes.Assign) and any(isinstance(target, nodes.Name) for target in one.targets))
        or (isinstance(one, nodes.AugAssign | nodes.AnnAssign) and isinstance(one.target, nodes.Name))
        for one in every_node([statement.body, statement.orelse])
    )
