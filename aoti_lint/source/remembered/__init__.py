"""What was made of files and asked of them, so that the next run need not do it again."""
