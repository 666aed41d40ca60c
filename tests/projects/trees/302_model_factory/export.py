import argparse

import torch

from base import create_model
from zoo import MODEL_NAME_TO_MODEL


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-m", "--model_name", choices=sorted(MODEL_NAME_TO_MODEL), action="append")
    args = parser.parse_args()
    for name in args.model_name or MODEL_NAME_TO_MODEL:
        model, example_args, example_kwargs, dynamic_shapes = create_model(MODEL_NAME_TO_MODEL[name])
        program = torch.export.export(model, args=example_args, kwargs=example_kwargs, dynamic_shapes=dynamic_shapes)
        print(name, len(program.graph.nodes))


if __name__ == "__main__":
    main()
