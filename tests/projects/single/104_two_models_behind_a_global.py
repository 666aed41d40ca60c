"""Two versions of the model behind one global; which one serves is not known."""
import torch
from fastapi import FastAPI

app = FastAPI()
RUN = None


class Net(torch.nn.Module):
    def forward(self, x):
        return x.sin()


def package(width):
    ep = torch.export.export(Net(), (torch.zeros(2, width),))
    return torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(ep))


@app.on_event("startup")
def startup():
    global RUN
    RUN = package(4)


@app.post("/v2")
def upgrade():
    global RUN
    RUN = package(8)


@app.get("/probe")
def probe():
    return RUN(torch.zeros(2, 8)).sum().item()
