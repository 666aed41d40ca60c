import torch

from samples import Sample


def main():
    pool = torch._inductor.aoti_load_package("pool.pt2")
    sample = Sample.dummy(batch=6, length=20)
    print(pool(*sample.as_args()).shape)


if __name__ == "__main__":
    main()
