import torch

import config

if __name__ == "__main__":
    compare = torch._inductor.aoti_load_package(config.PACKAGE["package_path"], **config.LOAD)
    print(compare(torch.randn(77, 5), torch.randn(77, 5)).shape)
