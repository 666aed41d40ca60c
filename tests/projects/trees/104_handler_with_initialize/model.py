import json

import torch
import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    def initialize(self, args):
        self.config = json.loads(args["model_config"])
        kind = args["model_instance_kind"]
        self.device = "cuda" if kind == "GPU" else "cpu"
        self.runner = torch._inductor.aoti_load_package("/models/m/1/net.pt2")

    def execute(self, requests):
        out = []
        for request in requests:
            x = pb_utils.get_input_tensor_by_name(request, "X")
            y = self.runner(torch.from_dlpack(x.to_dlpack()).to(self.device))
            out.append(pb_utils.InferenceResponse([pb_utils.Tensor.from_dlpack("Y", y)]))
        return out

    def warm(self):
        self.runner(torch.zeros(1, 4, device="cuda"))
        self.runner(torch.zeros(1, 5, device="cuda"))
        self.runner(torch.zeros(1, 4))
