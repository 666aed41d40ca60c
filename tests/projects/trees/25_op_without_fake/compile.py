import torch
from torch import nn

from kernels import rank_rows, soft_quantile


class Fairness(nn.Module):
    def forward(self, scores):
        median = soft_quantile(scores, 0.5)
        return (scores > median.unsqueeze(-1)) & (rank_rows(scores) > 1)


def main():
    groups = torch.export.Dim("groups", min=2, max=64)
    program = torch.export.export(Fairness(), (torch.rand(5, 30),), dynamic_shapes={"scores": {0: groups}})
    torch._inductor.aoti_compile_and_package(program, package_path="fairness.pt2")


if __name__ == "__main__":
    main()
