"""What is joined over all roots: files and packages, C++ hosts and registrations, what was not judged."""
