"""Settings: environment variables and `torch._inductor.config`, what they are given, where and when."""
