import torch
from torch import nn

import ops  # noqa: F401


class PagedScores(nn.Module):
    def forward(self, query, cache, table):
        pages = torch.ops.paged.gather_pages(cache, table)
        return torch.ops.paged.score_pages(query, pages).softmax(-1)


def main():
    query, cache = torch.randn(3, 8), torch.randn(20, 4, 8)
    table = torch.randint(0, 20, (3, 5))
    with torch.inference_mode():
        program = torch.export.export(PagedScores(), (query, cache, table))
    print(program)


if __name__ == "__main__":
    main()
