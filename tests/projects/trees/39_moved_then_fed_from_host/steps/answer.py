import torch

from . import PACKAGE


class Index:
    """All documents, kept in host memory because there are many."""

    def __init__(self, count):
        self.vectors = torch.randn(count, 12)

    def candidates(self, query, k):
        near = (self.vectors @ query.squeeze(0).cpu()).topk(k).indices
        return self.vectors[near]


def main():
    rerank = torch._inductor.aoti_load_package(PACKAGE)
    index = Index(5000)
    query = torch.randn(1, 12, device="cuda")
    documents = index.candidates(query, 100)
    print(rerank(query, documents).argmax().item())


if __name__ == "__main__":
    main()
