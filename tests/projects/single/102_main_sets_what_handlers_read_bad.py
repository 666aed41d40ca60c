"""The handler posts rows of another width than the exported program takes."""
import http.server

import torch

RUN = None
WIDTH = 3


class Net(torch.nn.Module):
    def forward(self, x):
        return x.exp()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        x = torch.zeros(4, WIDTH + 1)
        y = RUN(x)
        self.wfile.write(str(y.sum().item()).encode())


def main():
    global RUN
    ep = torch.export.export(Net(), (torch.zeros(4, WIDTH),))
    RUN = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(ep))
    http.server.HTTPServer(("", 8080), Handler).serve_forever()


if __name__ == "__main__":
    main()
