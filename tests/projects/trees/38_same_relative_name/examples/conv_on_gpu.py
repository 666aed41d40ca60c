import torch


def main():
    device = torch.device("cuda")
    model = torch.nn.Conv2d(3, 4, 3).to(device).eval()
    program = torch.export.export(model, (torch.randn(2, 3, 9, 9, device=device),))
    torch._inductor.aoti_compile_and_package(program, package_path="model.pt2")
    run = torch._inductor.aoti_load_package("model.pt2")
    print(run(torch.randn(2, 3, 9, 9, device=device)).shape)


if __name__ == "__main__":
    main()
