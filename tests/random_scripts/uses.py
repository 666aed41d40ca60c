"""What scripts do with an exported program: call it, save it, load it, look into it, compile it."""

from __future__ import annotations

from dataclasses import dataclass

from tests.random_scripts.draw import Draw, Scope, indented
from tests.random_scripts.inputs import Maker, Parameter, Plain, Tensor
from tests.random_scripts.models import Model
from tests.random_scripts.more_uses import MoreUses

WRONG = 0.04
"""How often a call has a size that nobody thought about."""


@dataclass
class Uses:
    """Writes the end of a script. `open` are the sizes that the program leaves open, and their ranges."""

    draw: Draw
    model: Model
    open: dict[str, tuple[int, int, int]]
    names: dict[str, str]
    scope: Scope
    program: str
    device: str = ""

    def lines(self, packages: bool) -> list[str]:
        """One use or more."""
        kinds = (
            (6, self._call),
            (3, self._loop),
            (3, self._save),
            (2, self._compare),
            (2, self._look),
            (0.4, self._decompose),
            (0.7, self._compiled),
            (0.7, self._try),
            (0.6, self._copy),
            (0.3, self._again),
            (0.3, self._unflatten),
            (0.5, self._closure),
            (0.4, self._state),
            (3, MoreUses(self).lines),
            (0.4, self._context),
        )
        found: list[str] = []
        for _ in range(self.draw.pick(1, 1, 2, 2, 3)):
            found += self.draw.weighted(*kinds)()
        return found + self._package() if packages else found

    def sizes(self) -> dict[str, int]:
        """Sizes for another call."""
        found = dict(self.model.signature.sizes)
        for key in found:
            if key in self.open:
                low, high, step = self.open[key]
                size = self.draw.number(max(low, 1), min(high, max(low, 1) + 9))
                found[key] = max(size - size % step, step)
            if self.draw.chance(WRONG):
                found[key] = self.draw.number(1, 12)
        return found

    def _maker(self) -> Maker:
        maker = Maker(self.draw, self.scope)
        maker.device = self.device
        return maker

    def given(self, sizes: dict[str, int], example: float = 0.3) -> str:
        """The arguments of a call."""
        maker = self._maker()
        text = []
        fresh = not self.draw.chance(example)
        for one in self.model.signature.parameters:
            if one.given == "never":
                continue
            value = (
                maker.value(one.value, sizes) if fresh and not isinstance(one.value, Plain) else self.names[one.name]
            )
            text.append(f"{one.name}={value}" if one.given == "name" else value)
        return ", ".join(text)

    def example_arguments(self) -> str:
        """The example inputs, as export takes them."""
        inside = [self.names[one.name] for one in self.model.signature.positional]
        named = [f'"{one.name}": {self.names[one.name]}' for one in self.model.signature.named]
        return f"({', '.join(inside)}{',' if len(inside) == 1 else ''})" + (
            f", {{{', '.join(named)}}}" if named else ""
        )

    def _module(self, name: str) -> list[str]:
        return [f"{name} = {self.program}.module()"]

    def _call(self) -> list[str]:
        given = self.given(self.sizes())
        name = self.draw.pick("m", "module", "exported", "runner")
        return self.draw.pick(
            [f"print(type({self.program}.module()({given})))"],
            [*self._module(name), f"out = {name}({given})"],
            [f"out = {self.program}.module()({given})", "assert out is not None"],
            [*self._module(name), "with torch.no_grad():", f"    out = {name}({given})"],
            [*self._module(name), f"first = {name}({given})", f"second = {name}({self.given(self.sizes())})"],
        )

    def _loop(self) -> list[str]:
        key = self.draw.one(sorted(self.model.signature.sizes))
        used = [
            one for one in self.model.signature.parameters if isinstance(one.value, Tensor) and key in one.value.dims
        ]
        if not used or any(not isinstance(one.value, Tensor | Plain) for one in self.model.signature.parameters):
            return self._call()
        variable = self.draw.pick("n", "size", "bs")
        values = [self.sizes()[key] for _ in range(self.draw.number(1, 3))]
        sizes = dict(self.model.signature.sizes)
        marker = 7919
        sizes[key] = marker
        given = self.given(sizes, 0).replace(str(marker), variable)
        several = self.draw.pick(f"[{', '.join(map(str, values))}]", f"({', '.join(map(str, values))},)")
        if self.draw.chance(0.2):
            low = min(values)
            several = f"range({low}, {low + self.draw.number(1, 3)})"
        inside = [f"result = m({given})"]
        if self.draw.chance(0.3):
            inside.append(f"print({variable}, type(result))")
        return [*self._module("m"), f"for {variable} in {several}:", *indented(inside)]

    def _file(self) -> tuple[list[str], str]:
        """Lines that make a path, and the path."""
        name = self.draw.pick("model.pt2", "program.pt2", "exported.pt2", "net.pt2")
        return self.draw.pick(
            (["folder = tempfile.mkdtemp()", f'path = os.path.join(folder, "{name}")'], "path"),
            ([f'path = Path(tempfile.mkdtemp()) / "{name}"'], "str(path)"),
            ([f'path = Path(tempfile.mkdtemp()) / "{name}"'], "path"),
            (["buffer = io.BytesIO()"], "buffer"),
            ([f'path = "{name}"'], "path"),
            (['os.makedirs("out", exist_ok=True)', f'path = f"out/{name}"'], "path"),
        )

    def _save(self) -> list[str]:
        before, path = self._file()
        end = ["buffer.seek(0)"] if path == "buffer" else []
        given = self.given(self.sizes())
        lines = [*before, f"torch.export.save({self.program}, {path})", *end, f"loaded = torch.export.load({path})"]
        if self.draw.chance(0.15) and path != "buffer":
            lines = [
                *before,
                f"with open({path}, 'wb') as f:",
                f"    torch.export.save({self.program}, f)",
                f"with open({path}, 'rb') as f:",
                "    loaded = torch.export.load(f)",
            ]
        if path != "buffer" and self.draw.chance(0.15):
            lines = [
                "with tempfile.TemporaryDirectory() as folder:",
                *indented(
                    [
                        'path = os.path.join(folder, "m.pt2")',
                        f"torch.export.save({self.program}, path)",
                        "loaded = torch.export.load(path)",
                    ]
                ),
            ]
        return [*lines, f"out = loaded.module()({given})"] if self.draw.chance(0.8) else lines

    def _compare(self) -> list[str]:
        """The program gives what the model gives."""
        given = self.given(self.sizes())
        if "self.training" in "\n".join(self.model.lines) or "rand" in given:
            given = self.given(self.model.signature.sizes, 1)
        return self.draw.pick(
            [
                f"expected = model({given})",
                f"actual = {self.program}.module()({given})",
                "print(type(expected), type(actual))",
            ],
            [f"torch.testing.assert_close({self.program}.module()({given}), model({given}))"],
            [
                "with torch.no_grad():",
                f"    ref = model({given})",
                f"    got = {self.program}.module()({given})",
                "if isinstance(ref, torch.Tensor):",
                "    assert ref.shape == got.shape",
            ],
        )

    def _look(self) -> list[str]:
        ep = self.program
        return [
            self.draw.pick(
                f"print({ep}.graph_signature)",
                f"print(len({ep}.graph.nodes))",
                f"print({ep}.range_constraints)",
                f"{ep}.graph_module.print_readable(print_output=False)",
                f"names = [n for n, _ in {ep}.named_parameters()]",
                f"print(list({ep}.state_dict))",
                f"ops = [n.target for n in {ep}.graph.nodes if n.op == 'call_function']",
                f"args_, kwargs_ = {ep}.example_inputs",
                f"print({ep}.call_spec.in_spec.num_leaves)",
                f"str({ep})",
                f"{ep}.validate()",
                f"print({ep}.graph_module.code)",
            )
        ]

    def _decompose(self) -> list[str]:
        table = self.draw.pick("", "", "{}", "torch.export.default_decompositions()", "decomp_table={}")
        return [
            f"decomposed = {self.program}.run_decompositions({table})",
            f"decomposed.module()({self.given(self.sizes())})",
        ]

    def _compiled(self) -> list[str]:
        backend = self.draw.weighted((4, "eager"), (1, "aot_eager"))
        more = self.draw.pick("", "", ", dynamic=True", ", fullgraph=True", ", dynamic=False", ", fullgraph=False")
        what = self.draw.pick("model", f"{self.program}.module()", "model")
        return [
            f'compiled = torch.compile({what}, backend="{backend}"{more})',
            f"compiled({self.given(self.sizes())})",
        ]

    def _try(self) -> list[str]:
        sizes = {key: self.draw.number(1, 12) for key in self.model.signature.sizes}
        error = self.draw.pick("Exception", "(RuntimeError, AssertionError, ValueError)", "Exception as error")
        return [
            "try:",
            f"    {self.program}.module()({self.given(sizes, 0)})",
            f"except {error}:",
            self.draw.pick("    pass", "    print('refused')"),
        ]

    def _copy(self) -> list[str]:
        return [f"twin = copy.deepcopy({self.program})", f"twin.module()({self.given(self.sizes())})"]

    def _again(self) -> list[str]:
        """Export what was exported."""
        inside = [self.names[one.name] for one in self.model.signature.positional]
        if self.model.signature.named:
            return self._call()
        args = f"({', '.join(inside)}{',' if len(inside) == 1 else ''})"
        return [
            f"second = torch.export.export({self.program}.module(), {args})",
            f"second.module()({', '.join(inside)})",
        ]

    def _unflatten(self) -> list[str]:
        return [f"flat = torch.export.unflatten({self.program})", f"flat({self.given(self.model.signature.sizes)})"]

    def _closure(self) -> list[str]:
        """A function that runs the program."""
        named = [one for one in self.model.signature.parameters if one.given != "never"]
        if any(one.given == "name" for one in named):
            return self._call()
        maker = self._maker()
        sizes = self.sizes()
        return self.draw.pick(
            [
                "def predict(*inputs):",
                f"    return {self.program}.module()(*inputs)",
                "",
                f"predict({self.given(sizes)})",
            ],
            [
                "def predict(module, inputs):",
                "    with torch.no_grad():",
                "        return module(*inputs)",
                "",
                f"predict({self.program}.module(), ({self.given(sizes)},))",
            ],
            [f"run = lambda *a: {self.program}.module()(*a)", f"run({self.given(sizes)})"],
            [
                f"batch = [{', '.join(maker.value(one.value, sizes) for one in named)}]",
                f"{self.program}.module()(*batch)",
            ],
        )

    def _state(self) -> list[str]:
        return self.draw.pick(
            ["state = {k: v.clone() for k, v in model.state_dict().items()}", "model.load_state_dict(state)"],
            ["with torch.no_grad():", "    for p in model.parameters():", "        p.mul_(0.5)"],
            [f"total = sum(p.numel() for p in {self.program}.parameters())", "print(total)"],
        )

    def _context(self) -> list[str]:
        given = self.given(self.sizes())
        return [
            self.draw.pick(
                "with torch.inference_mode():",
                "with contextlib.nullcontext():",
                "with torch.no_grad(), warnings.catch_warnings():",
                "with torch.set_grad_enabled(False):",
            ),
            f"    {self.program}.module()({given})",
        ]

    def _package(self) -> list[str]:
        """A package of it, and its calls."""
        path = self.draw.pick(
            'os.path.join(tempfile.mkdtemp(), "model.pt2")', 'str(Path(tempfile.mkdtemp()) / "net.pt2")', '"model.pt2"'
        )
        more = self.draw.pick("", "", ', inductor_configs={"max_autotune": False}')
        sizes = self.sizes()
        options = self.draw.pick("", "", ", run_single_threaded=True")
        return [
            f"package = torch._inductor.aoti_compile_and_package({self.program}, package_path={path}{more})",
            f"run_package = torch._inductor.aoti_load_package(package{options})",
            f"print(type(run_package({self.given(sizes)})))",
        ]


__all__ = ["Parameter", "Uses"]
