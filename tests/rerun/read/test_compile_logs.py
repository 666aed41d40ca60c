"""What the logs of torch.compile say of programs that are slow."""

from __future__ import annotations

from aoti_lint.rerun.read.compile_logs import graph_breaks, recompiles, takes_most
from aoti_lint.triage.diagnose import diagnose

HEAD = "V1122 20:26:03.694000 27925 torch/_dynamo/guards.py:5396] [0/2] [__recompiles] "
AGAIN = [
    f"{HEAD}Recompiling function forward in /app/generate.py:10",
    f"{HEAD}    triggered by the following guard failure(s):",
    f"{HEAD}    - 0/1: step == 1                # return x * (1 if step % 2 else -1)  # app/generate.py",
    f"{HEAD}    - User stack trace:",
    f'{HEAD}    -   File "/app/generate.py", line 11, in forward',
    f"{HEAD}    - 0/0: tensor 'x' requires_grad mismatch. expected requires_grad=0",
]
BREAK = "V1122 20:27:13.818000 29346 torch/_dynamo/symbolic_convert.py:5124] [0/0] [__graph_breaks] "


def test_what_is_compiled_again() -> None:
    (found,) = recompiles([*AGAIN, *(line.replace("step == 1", "step == 2") for line in AGAIN)])
    assert (found.kind, found.name) == ("code", "forward")
    assert "2 times" in found.what
    assert "`step == 2` and the like, 2 times" in found.what
    assert "requires_grad" not in found.what
    assert found.place is not None
    assert (found.place.path, found.place.line) == ("/app/generate.py", 11)


def test_the_line_in_another_module_that_made_the_guard() -> None:
    deeper = [
        f"{HEAD}    - 0/0: self._modules['quant'].tau.value == 2.0    # probs = torch.softmax(x / self.tau.value, -1)",
        *AGAIN[3:5],
        f"{HEAD}    -     return self.dec(self.quant(self.enc(x)))",
        f'{HEAD}    -   File "/app/gumbel.py", line 23, in forward',
        f"{HEAD}    -     probs = torch.softmax(self.logits(x) / self.tau.value, -1)",
        f'{HEAD}    -   File "/venv/lib/python3.11/site-packages/torch/nn/functional.py", line 3, in softmax',
    ]
    (found,) = recompiles([*AGAIN[:2], *deeper])
    assert found.place is not None
    assert (found.place.path, found.place.line) == ("/app/gumbel.py", 23)


def test_without_a_stack_it_is_the_function() -> None:
    (found,) = recompiles(AGAIN[:3])
    assert found.place is not None
    assert (found.place.path, found.place.line) == ("/app/generate.py", 10)


def test_where_compiled_code_is_cut() -> None:
    (found,) = graph_breaks([
        f"{BREAK}Graph break in user code at /app/filter.py:13",
        f"{BREAK}Graph Break Reason: Failed to handle graph break gracefully. Graph break encountered:",
        BREAK,
        f"{BREAK}Unsupported Tensor.item() call with capture_scalar_outputs=False",
    ])  # fmt: skip
    assert not found.sure
    assert "stops here: Unsupported Tensor.item() call" in found.what


def test_the_table_of_the_profiler() -> None:
    table = [
        "  Name    Self CPU %      Self CPU   CPU total %  ",
        "  aten::addmm        40.61%     101.3ms        45.1%  ",
        "  bytecode_tracing (dynamo_timed)         3.24%       8.078ms  ",
    ]
    assert takes_most(table) == (
        "compiling takes 3 % of the time, and most of the rest is spent in aten::addmm (40.61 %)"
    )
    assert takes_most(["nothing"]) is None


def test_source_that_is_logged_is_no_message() -> None:
    line = (
        'V1122 20:23:40.666000 1 torch/_inductor/compile_fx.py:1568] [__output_code] // "CUDA error: an illegal memory'
    )
    assert diagnose([f"{line} memory access was encountered"]).causes == []
