"""Arguments to exit code, nothing else."""

# Nothing is imported here before the path is safe: `python -m aoti_lint` puts the current folder in front of it.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: "Sequence[str] | None" = None) -> int:
    """Run the command line in a process that is ours alone; gives the exit code."""
    from aoti_lint.isolated.safe_path import protect

    protect()
    import gc

    from aoti_lint.cli.main import main as run

    # What is made lives to the end, and holds few cycles: looking for them takes a tenth of a run, and as much again
    # when Python ends, which looks through all there is.
    gc.set_threshold(50_000, 20, 50)
    try:
        return run(arguments)
    finally:
        gc.freeze()


if __name__ == "__main__":
    raise SystemExit(main())
