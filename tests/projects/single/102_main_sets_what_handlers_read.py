"""Device chosen in main, used by callbacks: the module's default must not be believed."""
import argparse
import http.server

import torch

DEVICE = "cpu"
RUN = None


class Net(torch.nn.Module):
    def forward(self, x):
        return x.exp()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        y = RUN(torch.zeros(4, 3, device=DEVICE))
        self.wfile.write(str(y.sum().item()).encode())


def main():
    global DEVICE, RUN
    p = argparse.ArgumentParser()
    p.add_argument("--device", default="cuda")
    DEVICE = p.parse_args().device
    ep = torch.export.export(Net().to(DEVICE), (torch.zeros(4, 3, device=DEVICE),))
    RUN = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(ep))
    http.server.HTTPServer(("", 8080), Handler).serve_forever()


if __name__ == "__main__":
    main()
