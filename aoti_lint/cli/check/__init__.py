"""`aoti-lint check`, with what its options ask for beside the check itself."""
