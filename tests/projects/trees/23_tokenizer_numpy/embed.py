import numpy as np
import torch

from text import Tokenizer


def main():
    encode = torch._inductor.aoti_load_package("encoder.pt2")
    vectors = encode(**Tokenizer()(["one", "two words", "and three of them"]))
    similarity = np.asarray(vectors.detach().cpu()) @ np.asarray(vectors.detach()).T
    print(similarity.shape)


if __name__ == "__main__":
    main()
