"""Every package is called with inputs of its own device; results meet on the host."""
import torch

from common import devices, package_for


def main():
    wave = torch.randn(5, 1, 80)
    results = {}
    for device in devices():
        model = torch._inductor.aoti_load_package(package_for(device))
        results[device] = model(wave.to(device)).cpu()
    reference = results.pop("cpu")
    for device, other in results.items():
        print(device, torch.allclose(reference, other, atol=1e-4))
    print("reference", tuple(reference.shape))


if __name__ == "__main__":
    main()
