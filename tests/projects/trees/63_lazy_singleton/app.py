import torch

import store

ROUTES = {}


def route(path):
    def register(handler):
        ROUTES[path] = handler
        return handler

    return register


@route("/one")
def one(body):
    return store.get()(torch.tensor([body])).tolist()


@route("/many")
def many(body):
    return store.get()(torch.tensor(body)).tolist()


if __name__ == "__main__":
    print(len(ROUTES["/one"]([0.5] * 7)))
    print(len(ROUTES["/many"]([[0.5] * 7, [0.1] * 7, [0.9] * 7])))
