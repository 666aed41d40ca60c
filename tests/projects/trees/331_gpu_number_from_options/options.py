import argparse


def parser():
    p = argparse.ArgumentParser(add_help=False)
    p.add_argument("--package", default="sort.pt2")
    p.add_argument("--gpu", type=int, default=0, help="index of the GPU")
    return p
