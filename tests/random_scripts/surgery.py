"""What scripts do to a model after it is made and before it is exported."""

from __future__ import annotations

from tests.random_scripts.draw import Draw


def surgery(draw: Draw, header: str, names: str) -> list[str]:
    """Lines that change the variable `model`, and keep what it takes; `names` are the arguments that hand it on."""
    return draw.pick(
        [
            "class Outer(nn.Module):", "    def __init__(self, inner):", "        super().__init__()",
            "        self.inner = inner", "", f"    def forward(self, {header}):",
            f"        return self.inner({names})", "", "model = Outer(model).eval()",
        ],
        ["def init_weights(m):", "    if isinstance(m, nn.Linear):", "        nn.init.zeros_(m.weight)", "",
            "model.apply(init_weights)"],
        ["for name, child in model.named_children():", "    if isinstance(child, nn.Dropout):",
            "        setattr(model, name, nn.Identity())"],
        ["model.load_state_dict({k: torch.zeros_like(v) for k, v in model.state_dict().items()})"],
        ["state = model.state_dict()", "torch.save(state, 'weights.pt')",
            "model.load_state_dict(torch.load('weights.pt', weights_only=True))"],
        ["model.extra = nn.Identity()"],
        ["model.register_buffer('steps', torch.zeros(1))"],
        ["handle = model.register_forward_hook(lambda m, a, out: out)", "handle.remove()"],
        ["models = {'base': model, 'copy': copy.deepcopy(model)}", "model = models['copy']"],
        [
            "class Base(nn.Module):", "    def forward(self, *args, **kwargs):", "        raise NotImplementedError",
            "", "class Derived(Base):", "    def __init__(self, inner):", "        super().__init__()",
            "        self.inner = inner", "", f"    def forward(self, {header}):",
            f"        return self.inner({names})", "", "model = Derived(model).eval()",
        ],
        [f"model.double_forward = lambda {header}: model({names})"],
        ["model.train()", "model.eval()"],
        ["was = model.training", "model.train(False)", "model.train(was)"],
        ["@torch.no_grad()", "def freeze(m):", "    for p in m.parameters():", "        p.requires_grad_(False)",
            "    return m", "", "model = freeze(model)"],
        ["optimizer = torch.optim.SGD([nn.Parameter(torch.zeros(1)), *model.parameters()], lr=0.1)",
            "optimizer.zero_grad()"],
    )  # fmt: skip
