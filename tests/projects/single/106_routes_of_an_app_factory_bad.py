from fastapi import FastAPI

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x.sum(-1)


def create_app(device="cuda"):
    app = FastAPI()
    ep = torch.export.export(Net().to(device), (torch.zeros(2, 3, device=device),))
    run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(ep))

    @app.get("/ok")
    def ok():
        return run(torch.zeros(2, 3, device=device)).tolist()

    @app.get("/wide")
    def wide():
        return run(torch.zeros(2, 4, device=device)).tolist()

    return app


app = create_app()
