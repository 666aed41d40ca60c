import onnx
import torch

torch.onnx.export(  # <- AOTI345
    torch.nn.Linear(8, 4),
    torch.randn(1, 8),
    "net345_unread.onnx",
    input_names=["image"],
    dynamic_axes={"images": {0: "n"}},
    dynamo=False,
)
(image,) = onnx.load("net345_unread.onnx").graph.input
print("named", image.type.tensor_type.shape.dim[0].dim_param or "nothing")
