"""Environment variables set outside Python: in shell scripts, Dockerfiles, `.env` files and pipelines."""
