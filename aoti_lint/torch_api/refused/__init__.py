"""What operations, the tracer of Python code and the exporter to ONNX refuse, as it was measured."""
