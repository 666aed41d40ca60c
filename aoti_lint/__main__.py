"""Arguments to exit code, nothing else."""

# Nothing is imported here before the path is safe: `python -m aoti_lint` puts the current folder in front of it.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: "Sequence[str] | None" = None) -> int:
    """Run the command line in a process that is ours alone; gives the exit code."""
    from aoti_lint.safe_path import protect

    protect()
    from aoti_lint.cli.main import main as run

    return run(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
