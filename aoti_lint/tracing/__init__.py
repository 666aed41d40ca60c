"""What tracing does to a forward, a fake or a kernel: it is run again on open sizes, while an observer looks on."""
