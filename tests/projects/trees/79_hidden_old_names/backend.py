import torch


class Backend:
    compile_fn = staticmethod(torch._export.aot_compile)
    suffix = ".so"

    def build(self, model, args, path):
        return self.compile_fn(model, args, options={"aot_inductor.output_path": path})


class QuantBackend(Backend):
    def build(self, model, args, path):
        captured = torch.export.export_for_training(model, args)
        return super().build(captured.module(), args, path)
