"""AOTI610."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Rule
from aoti_lint.rule.archives import Machine, capability

if TYPE_CHECKING:
    from aoti_lint.rule.contents import NamedArchive, Package

_SAME = {"amd64": "x86_64", "x64": "x86_64", "arm64": "aarch64", "windows": "win32", "macos": "darwin"}
_ALSO = {
    "AVX512": {"AVX2"},
    "AVX512_VNNI": {"AVX512", "AVX2"},
    "AMX_TILE": {"AVX512", "AVX512_VNNI", "AVX2"},
}
"""What a machine with the one instruction set surely has too."""


class BuiltForAnotherMachine(Rule):
    """A package was compiled for another machine than `[tool.aoti-lint.target]` describes.

    What happens:
        torch compares what it can when it loads the package, and only logs `Device information mismatch for
        AOTI_CPU_ISA: AVX2 vs AVX512. This could cause some issues`. Then it depends: a library of another platform or
        processor cannot be loaded; vector instructions the CPU does not have end the process with an illegal
        instruction when they are first run; kernels for another GPU architecture raise at load or at the first call.
        A package for CUDA on a machine without raises while loading.

    Why:
        The C++ of a package is compiled for the machine it is compiled on (`-march=native`), its GPU kernels for that
        GPU.

    Bad:
        # archive: static_compiled.pt2  # <- AOTI610
        # file: aoti-lint.toml
        [target]
        cpu-isa = "AVX2"

    Good:
        # archive: static_compiled.pt2
        # file: aoti-lint.toml
        [target]
        machine = "x86_64"
        cpu-isa = "AVX512 AVX512_VNNI AMX_TILE"

    How to debug:
        `aoti-lint inspect model.pt2` says what it was built for; on the target, `torch._inductor.cpu_vec_isa.
        pick_vec_isa()` and `torch.cuda.get_device_capability()` say what it has. Compile on the target, or set
        `torch._inductor.config.cpp.simdlen` (256 is AVX2) before the compile.

    Sources:
        Run on torch 2.11 with an NVIDIA H200 and on 2.13 on the CPU, with packages whose metadata were edited: every
        difference is logged, none is refused. `torch/_inductor/cpu_vec_isa.py` of release 2.13.0.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI610"
    name = "built-for-another-machine"
    outcome = Outcome.CRASH
    doubt = "the package may not use all that the machine has on which it was built"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for archive in facts.archives:
            for package in archive.data.packages:
                for what, message, help_, outcome in misfits(package, facts.machine):
                    yield self.found_in(
                        facts,
                        archive,
                        # What it was built on is a fact; that it needs all of it is not.
                        Confidence.LIKELY if outcome is Outcome.CRASH else Confidence.CERTAIN,
                        message,
                        subject=f"{package.name}: {what}",
                        member=_metadata(archive, package),
                        outcome=outcome,
                        help=help_,
                        symptom="load-error",
                    )


def _metadata(archive: NamedArchive, package: Package) -> str | None:
    """The file that says what a package was built on; its source where there is none."""
    name = f"{(package.member or '').removesuffix('.cpp')}_metadata.json"
    return next((one.name for one in archive.data.members if one.name == name), package.member)


def misfits(package: Package, machine: Machine) -> Iterator[tuple[str, str, str, Outcome]]:
    """What of a package does not fit a machine: the word, a message, what to do, what would happen."""
    loads = Outcome.RAISES_AT_LOAD
    if machine.device and package.device_type and machine.device.partition(":")[0] != package.device_type:
        yield ("device", f"compiled for {package.device_type}, the target has {machine.device}",
               f"compile a package for {machine.device}", loads)  # fmt: skip
    for word, built, wanted in (("platform", package.platform, machine.platform),
                                ("machine", package.machine, machine.machine)):  # fmt: skip
        if built and wanted and _plain(built) != _plain(wanted):
            yield word, f"compiled on {built}, the target is {wanted}", f"compile it on {wanted}", loads
    if package.cpu_isa and machine.cpu_isa and same(package.machine, machine.machine):
        has = set(machine.cpu_isa).union(*(_ALSO.get(word, set()) for word in machine.cpu_isa))
        missing = [word for word in package.cpu_isa.upper().split() if word not in has]
        if missing:
            yield ("cpu-isa", f"compiled with {', '.join(missing)}, which the target does not have "
                   f"({' '.join(machine.cpu_isa)}): an illegal instruction may end the process",
                   "compile it on such a machine, or with torch._inductor.config.cpp.simdlen = 256 for AVX2",
                   Outcome.CRASH)  # fmt: skip
    built, wanted = capability(package.compute_capability or None), machine.compute_capability
    if built and wanted and not runs_on(built, wanted) and any(k.startswith("triton_") for k in package.kernels):
        yield ("compute-capability", f"compiled for compute capability {built}, the target has {wanted}: its kernels "
               "do not run there", f"compile it on a GPU of compute capability {wanted}", Outcome.CRASH)  # fmt: skip


def runs_on(built: str, wanted: str) -> bool:
    """Whether kernels for one compute capability run on another: binaries do so upwards within a major version.

    From 9.0 on the compiler uses features of that very architecture, so nothing else will do.
    """
    if built == wanted:
        return True
    first, second = built.rstrip("af"), wanted.rstrip("af")
    if not (first.isdecimal() and second.isdecimal()):
        return False
    return first[:-1] == second[:-1] and first[-1] <= second[-1] and int(first) < 90


def same(first: str | None, second: str | None) -> bool:
    """Whether two words may mean one kind of processor."""
    return first is None or second is None or _plain(first) == _plain(second)


def _plain(word: str) -> str:
    return _SAME.get(word.lower(), word.lower())
