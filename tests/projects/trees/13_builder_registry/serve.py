import torch

from compile import package_name


def main():
    camera = torch._inductor.aoti_load_package(package_name("pixels"))
    table = torch._inductor.aoti_load_package(package_name("rows"))
    frame = torch.rand(1, 1, 24, 32)
    print(camera(frame).shape, table(torch.rand(250, 6)).shape)


if __name__ == "__main__":
    main()
