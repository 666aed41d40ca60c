"""The process around the script: environment variables, arguments, the platform, exits and worker processes."""
