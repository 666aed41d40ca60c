import torch

if __name__ == "__main__":
    model = torch.nn.Linear(10, 4).eval()
    program = torch.export.export(model, (torch.randn(3, 10),))
    torch._inductor.aoti_compile_and_package(program, package_path="model.pt2")
    print(torch._inductor.aoti_load_package("model.pt2")(torch.randn(3, 10)).shape)
