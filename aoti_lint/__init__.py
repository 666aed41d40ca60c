"""Static checks for PyTorch export and compile configurations.

The functions for a live `ExportedProgram` (they need torch) and for files are taken from here:
`aoti_lint.check_program(ep)`, `aoti_lint.inspect_program(ep)`, `aoti_lint.inspect_file("model.pt2")`.
"""

# os.path and not pathlib: this module is imported by every run, and pathlib costs more than a whole idle run should.
import os.path

from aoti_lint.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from aoti_lint.engine.programs import check_program as check_program
    from aoti_lint.program.exported.live import inspect_program as inspect_program
    from aoti_lint.program.read import read as inspect_file

__all__ = ["__version__", "check_program", "inspect_file", "inspect_program"]

# In a wheel the rules are aoti_lint/rules; in a checkout they are ../rules.
if not os.path.isdir(os.path.join(os.path.dirname(__file__), "rules")):
    __path__.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def __getattr__(name: str) -> object:
    # Only when they are asked for: no run of the command line needs them.
    if name == "check_program":
        from aoti_lint.engine.programs import check_program

        return check_program
    if name == "inspect_program":
        from aoti_lint.program.exported.live import inspect_program

        return inspect_program
    if name == "inspect_file":
        from aoti_lint.program.read import read

        return read
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
