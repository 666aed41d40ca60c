import torch

model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU()).eval()
batch = torch.export.Dim("batch")
program = torch.export.export(model, (torch.randn(2, 8),), dynamic_shapes=({0: batch},))
made = torch.onnx.export(program, (torch.randn(2, 8),), "net.onnx", opset_version=18, dynamo=True)
print("opset", made.model.opset_imports[""], [str(size) for size in made.model.graph.inputs[0].shape][1])
