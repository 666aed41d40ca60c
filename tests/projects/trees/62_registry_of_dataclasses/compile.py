import torch

from specs import REGISTRY, ROOT, Spec


def compile_spec(spec: Spec) -> str:
    model = spec.build().to(spec.device).eval()
    example = torch.zeros(spec.shape, device=spec.device)
    options = {"aot_inductor.output_path": str(spec.library.resolve())}
    return torch._export.aot_compile(model, (example,), options=options)


if __name__ == "__main__":
    ROOT.mkdir(exist_ok=True)
    for name, spec in REGISTRY.items():
        print(name, compile_spec(spec))
