import ray
import torch
from torch.export import Dim


class Net(torch.nn.Module):
    def __init__(self, d):
        super().__init__()
        self.l = torch.nn.Linear(d, d)

    def forward(self, x):
        return self.l(x)


@ray.remote(num_gpus=1)
class Worker:
    def __init__(self, d: int, path: str):
        self.d = d
        self.device = torch.device("cuda")
        net = Net(d).to(self.device).eval()
        ep = torch.export.export(net, (torch.zeros(2, d, device=self.device),), dynamic_shapes=[{0: Dim("n", max=512)}])
        self.run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(ep, package_path=path))

    def infer(self, rows):
        x = torch.as_tensor(rows, dtype=torch.float32).to(self.device, non_blocking=True)
        return self.run(x).cpu().numpy()

    def warm(self):
        self.run(torch.zeros(1, self.d).to("cuda"))

    def warm_host(self):
        self.run(torch.zeros(8, self.d))


if __name__ == "__main__":
    ray.init()
    ws = [Worker.remote(64, f"/tmp/w{i}.pt2") for i in range(2)]
    ray.get([w.warm.remote() for w in ws])
    print(ray.get(ws[0].infer.remote([[0.0] * 64])))
