import torch


def rank(model, user, candidates):
    scores = model(torch.full_like(candidates, user), candidates)
    return candidates[scores.argsort(descending=True)]


def main():
    model = torch._inductor.aoti_load_package("two_tower.pt2")
    print(rank(model, user=3, candidates=torch.arange(40)).shape)


if __name__ == "__main__":
    main()
