import onnx
import torch

torch.onnx.export(
    torch.nn.Linear(8, 4),
    torch.randn(1, 8),
    "net345_unread_good.onnx",
    input_names=["image"],
    dynamic_axes={"image": {0: "n"}},
    dynamo=False,
)
(image,) = onnx.load("net345_unread_good.onnx").graph.input
print("named", image.type.tensor_type.shape.dim[0].dim_param or "nothing")
