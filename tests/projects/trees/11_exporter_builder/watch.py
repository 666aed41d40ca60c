import torch


def main():
    anomaly = torch._inductor.aoti_load_package("anomaly.pt2")
    minute = torch.randn(60, 14)
    error = anomaly(minute)
    print("readings", len(minute), "errors", error.numel())


if __name__ == "__main__":
    main()
