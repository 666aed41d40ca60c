import torch

program = torch.export.export(torch.nn.ReLU(), (torch.randn(2, 8),))
made = torch.onnx.export(
    program,
    (torch.randn(2, 8),),
    "net.onnx",
    input_names=["x"],
    dynamic_axes={"x": {0: "batch"}},  # <- AOTI233
    dynamo=True,
)
print("shape", [str(size) for size in made.model.graph.inputs[0].shape])
