"""A result as a rerun may end, with names that do harm where nobody escapes them."""

from __future__ import annotations

from pathlib import Path

from aoti_lint.rerun.result import Culprit, Launch, Place, Ran, Result, Tried, Values

HARM = "<script>alert('kernel & \"co\"')</script>"


def ran(log: str = "kernels/run.log", *, code: int | None = -6, how: str = "signal") -> Ran:
    return Ran(
        command=("python", "my model.py", "--name", HARM),
        environment={"AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER": "3", "PYTHONUNBUFFERED": "1", "TAG": "a b"},
        config={"torch._inductor.config.pattern_matcher": False},
        code=code,
        how=how,  # type: ignore[arg-type]
        seconds=3.21,
        log=log,
    )


def found(folder: Path) -> Result:
    """A kernel that made NaN, shown two launches later."""
    log = folder / "kernels" / "run.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_bytes(b"first\n\x1b[31mred\x1b[0m \x1b]0;title\x07\xff\n" + f"{HARM}\n".encode())
    line = Place(path="/home/me/model.py", line=15, function="forward", text="    h = torch.log(h - 0.5)")
    kernel = Launch(
        number=2,
        name=f"cpp_fused_log_{HARM}",
        kind="kernel",
        reads=("buf1", "s77"),
        writes=("buf1",),
        places=(line, Place(path="/home/me/model.py", line=14, function="forward")),
        source='extern "C" void cpp_fused_log(float* in_out_ptr0)\n{\n' + "    auto tmp5 = tmp4.log();\n" * 12 + "}",
    )
    op = Launch(number=3, name="lab::pad2", kind="op", reads=("buf1",), writes=("buf3",), places=(line,))
    last = Launch(number=5, name="aoti_torch_cpu_addmm_out", kind="extern", reads=("buf3",), writes=("buf5",))
    values = (
        Values(argument="buf1", when="before", dtype="float32", shape=(4, 16), device="cpu", low=-0.9267, high=1.136,
               mean=0.0596, nan=0, inf=0, bars="▁▁ ▃▄▄▆█▁▃▃▂▁▃ ▁"),
        Values(argument="buf1", when="after", dtype="float32", shape=(4, 16), device="cpu", low=-3.2, high=-0.45,
               mean=-1.494, nan=54, inf=2, bars="▄ ▄     ▄ ██▄  █", bad=True),
        Values(argument="buf9", when="before", dtype="float32", shape=(4, 4), fresh=True),
    )  # fmt: skip
    culprit = Culprit(
        kind="kernel", name=kernel.name, what="It makes 54 NaN in buf1 from finite inputs.", sure=True,
        fix="log of a negative number: clamp before the log.", launch=kernel, place=line, values=values,
        chain=(op, last), rules=("AOTI601",),
    )  # fmt: skip
    other = Culprit(kind="setting", name="torch._inductor.config.pattern_matcher", what="Off, it is well.", sure=False)
    return Result(
        target=("python", "my model.py"), symptom="nan", torch="2.13.0", folder=str(folder), found=True,
        culprits=(culprit, other),
        causes=({"cause": "nan", "title": f"NaN in an output {HARM}", "fix": "Look at the first kernel."},),
        tried=(
            Tried(stage="kernels", title="Names of kernels", ran=(ran(),), shows=("Six kernels ran to their end.",)),
            Tried(stage="values", title="Values", ran=(ran("values/run.log", code=0, how="ended"),), shows=(HARM,)),
        ),
        notes=("The package was not changed.",), repro="repro/repro.py",
    )  # fmt: skip


def nothing(folder: Path) -> Result:
    """A rerun that excluded things and found nothing."""
    whole = found(folder)
    return whole.model_copy(update={"found": False, "culprits": (), "repro": None, "causes": ()})
