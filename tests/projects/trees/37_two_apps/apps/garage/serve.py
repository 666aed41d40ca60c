import torch

from common import DEVICE, PACKAGE, SENSORS


def main():
    model = torch._inductor.aoti_load_package(str(PACKAGE))
    print(model(torch.randn(10, SENSORS, device=DEVICE)).shape)


if __name__ == "__main__":
    main()
