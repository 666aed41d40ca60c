"""Start-up picks the device; the handler asks the state for it."""
import torch
from flask import Flask

app = Flask(__name__)
STATE = {"device": "cpu", "run": None}


class Net(torch.nn.Module):
    def forward(self, x):
        return x.sum(-1)


def boot():
    if torch.cuda.is_available():
        STATE["device"] = "cuda"
    d = STATE["device"]
    ep = torch.export.export(Net().to(d), (torch.zeros(2, 3, device=d),))
    STATE["run"] = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(ep))


with app.app_context():
    boot()


@app.route("/")
def index():
    return str(STATE["run"](torch.zeros(2, 3, device=STATE["device"])))


@app.route("/w")
def wide():
    return str(STATE["run"](torch.zeros(2, 9, device=STATE["device"])))
