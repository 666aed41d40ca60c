"""What aoti-lint costs, beside ruff and TorchFix."""
