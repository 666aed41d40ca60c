"""Arguments to exit code, nothing else."""

from aoti_lint.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
