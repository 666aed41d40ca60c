"""`aoti-lint explain`: what it says, and how it is written."""
