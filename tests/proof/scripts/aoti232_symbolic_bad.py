import torch


class Boxes(torch.autograd.Function):
    @staticmethod
    def forward(ctx, boxes, scores):
        return torch.zeros(10, 4)

    @staticmethod
    def symbolic(g, boxes, scores):
        return g.op("TRT::EfficientNMS_TRT", boxes, scores)


class Net(torch.nn.Module):
    def forward(self, boxes, scores):
        return Boxes.apply(boxes, scores)  # <- AOTI232


made = torch.onnx.export(Net(), (torch.randn(50, 4), torch.randn(50)), dynamo=True)
operators = {node.op_type for node in made.model.graph}
assert "EfficientNMS_TRT" in operators, operators
