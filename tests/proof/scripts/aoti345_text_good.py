import torch

model = torch.nn.Linear(2, 2).eval()
program = torch.onnx.export(model, (torch.ones(1, 2),), "net.onnx", output_names=["output"], dynamo=True)
print("named", program.model.graph.outputs[0].name)
