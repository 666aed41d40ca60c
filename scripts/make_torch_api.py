"""Make `aoti_lint/torch_api/api.json`: which names and signatures each torch release has.

    pip download --no-deps --only-binary=:all: --python-version 3.11 --implementation cp \\
        --platform macosx_11_0_arm64 --platform macosx_14_0_arm64 -d wheels torch==2.13.0     # one for each minor
    python scripts/make_torch_api.py wheels/torch-*.whl --earlier earlier/torch-*.whl

Of the `--earlier` releases, older than those that are supported, only the names and arguments are kept that no
supported one has: code for them is told from what never was.
The sources are read as text, torch is never imported; the macOS wheels hold the same Python files as the others and are
the smallest. A place may also be a folder that holds `torch/` (a site-packages). The same releases give the same bytes.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
from collections import defaultdict
from collections.abc import Container, Mapping
from pathlib import Path

from static_modules import SourceTree
from static_objects import HIDDEN, attributes, methods, signature

OUTPUT = Path(__file__).parents[1] / "aoti_lint" / "torch_api" / "api.json"

COVERED = (
    # A name, then how many levels below it are read.
    ("torch.export", 9),
    ("torch._export", 9),
    ("torch.library", 0),
    ("torch._library", 9),
    ("torch.compiler", 9),
    ("torch._custom_op", 9),
    ("torch._custom_ops", 0),
    ("torch._dynamo", 1),
    ("torch._dynamo.backends", 1),
    ("torch._inductor", 1),
    ("torch._inductor.package", 9),
    ("torch._higher_order_ops", 1),
    ("torch._functorch", 1),
    ("torch._subclasses", 1),
    ("torch._decomp", 1),
    ("torch._guards", 0),
    ("torch._logging", 1),
    ("torch.ao.quantization", 9),
    ("torch.fx", 1),
    ("torch.fx.experimental", 1),
    ("torch.fx.passes", 1),
    ("torch.jit", 1),
    ("torch.onnx", 1),
    ("torch.utils._pytree", 0),
)
CLASSES = (
    "torch.export.AdditionalInputs",
    "torch.export.Dim",
    "torch.export.ExportedProgram",
    "torch.export.ShapesCollection",
    "torch.export.dynamic_shapes._DimHint",
    "torch.library.CustomOpDef",
    "torch.library.Library",
)
WITH_SIGNATURES = (
    "torch._custom_op.impl",
    "torch._custom_ops",
    "torch._dynamo",
    "torch._dynamo.decorators",
    "torch._export",
    "torch._inductor",
    "torch._inductor.package",
    "torch.compiler",
    "torch.export",
    "torch.export._draft_export",
    "torch.export.dynamic_shapes",
    "torch.export.passes",
    "torch.export.pt2_archive",
    "torch.export.pt2_archive._package",
    "torch.fx.experimental.proxy_tensor",
    "torch.library",
    "torch.onnx",
)
FUNCTIONS = (
    "torch._higher_order_ops.associative_scan.associative_scan",
    "torch._higher_order_ops.cond.cond",
    "torch._higher_order_ops.map.map",
    "torch._higher_order_ops.scan.scan",
    "torch._higher_order_ops.while_loop.while_loop",
    "torch._logging.set_logs",
    "torch.ao.quantization.quantize_pt2e.convert_pt2e",
    "torch.ao.quantization.quantize_pt2e.prepare_pt2e",
    "torch.ao.quantization.quantize_pt2e.prepare_qat_pt2e",
    "torch.compile",
    "torch.utils._pytree.register_constant",
    "torch.utils._pytree.register_dataclass",
    "torch.utils._pytree.register_pytree_node",
)
"""With a signature, of other modules."""

Minor = tuple[int, int]
Spread = defaultdict[str, set[Minor]]


class Data:
    """What was read, as name -> the minors that have it."""

    def __init__(self) -> None:
        self.releases: dict[Minor, str] = {}
        self.modules: Spread = defaultdict(set)
        self.open: Spread = defaultdict(set)
        self.names: defaultdict[str, Spread] = defaultdict(lambda: defaultdict(set))
        self.signatures: defaultdict[str, Spread] = defaultdict(lambda: defaultdict(set))
        self.aliases: dict[str, str] = {}
        self.earlier: dict[Minor, str] = {}
        self.earlier_names: defaultdict[str, dict[str, Minor]] = defaultdict(dict)
        """The last of the earlier minors that has the name."""
        self.earlier_arguments: defaultdict[str, dict[str, Minor]] = defaultdict(dict)

    def read_earlier(self, place: Path) -> None:
        """Add one release older than the supported ones. Raises what `read` raises."""
        tree = SourceTree(place, "torch")
        key = add_release(self.earlier, tree, place)
        for module in tree.modules():
            if is_covered(module):
                for name in tree.names(module)[0]:
                    if not is_special(name):
                        self.earlier_names[module][name] = max(key, self.earlier_names[module].get(name, key))
        names = [
            (module, name) for module in WITH_SIGNATURES if module in tree for name in sorted(tree.names(module)[0])
        ]
        for module, name in [*names, *(tuple(function.rsplit(".", 1)) for function in FUNCTIONS)]:
            known = self.earlier_arguments[f"{module}.{name}"]
            for text in signature(tree, module, name, None) or ():
                argument = text.partition("=")[0]
                if argument.isidentifier():
                    known[argument] = max(key, known.get(argument, key))

    def read(self, place: Path) -> None:
        """Add one release.

        Raises `FileNotFoundError` when `place` holds no torch, `ValueError` for a second release of a minor.
        """
        tree = SourceTree(place, "torch")
        key = add_release(self.releases, tree, place)
        for module in tree.modules():
            if is_covered(module):
                self._module(tree, key, module)
        for name in CLASSES:
            self._class(tree, key, name)
        for module in WITH_SIGNATURES:
            for name in sorted(tree.names(module)[0]) if module in tree else ():
                if not name.startswith("_"):
                    self._signature(tree, key, module, name)
        for name in FUNCTIONS:
            self._signature(tree, key, *name.rsplit(".", 1))

    def _module(self, tree: SourceTree, key: Minor, module: str) -> None:
        self.modules[module].add(key)
        names, is_open = tree.names(module)
        for name in names:
            if not is_special(name):
                self.names[module][name].add(key)
        if is_open:
            self.open[module].add(key)

    def _class(self, tree: SourceTree, key: Minor, name: str) -> None:
        module, short = name.rsplit(".", 1)
        found = attributes(tree, module, short) if module in tree else None
        if found is None:
            return
        self.modules[name].add(key)
        self._alias(tree, module, short)
        for attribute in found - {HIDDEN}:
            if not is_special(attribute):
                self.names[name][attribute].add(key)
        if HIDDEN in found:
            self.open[name].add(key)
        for method in methods(tree, module, short):
            self._signature(tree, key, module, short, method)

    def _signature(self, tree: SourceTree, key: Minor, module: str, name: str, method: str | None = None) -> None:
        found = signature(tree, module, name, method)
        if found is not None:
            qualified = f"{module}.{name}.{method}" if method else f"{module}.{name}"
            self.signatures[qualified][json.dumps(found)].add(key)
            if not method:
                self._alias(tree, module, name)

    def _alias(self, tree: SourceTree, module: str, name: str) -> None:
        home = tree.resolve(module, name)
        if home and home != (module, name):
            names = {f"{module}.{name}", self.aliases.get(".".join(home), f"{module}.{name}")}
            self.aliases[".".join(home)] = min(names, key=lambda text: (len(text), text))

    def document(self) -> dict[str, object]:
        """The data as they are stored: spans of versions as `VersionSet.parse` reads them."""
        order = sorted(self.releases)

        def span(minors: set[Minor]) -> str:
            return spans(minors, order)

        modules: dict[str, dict[str, object]] = {}
        for module in sorted(self.modules):
            groups: dict[str, list[str]] = {}
            for name, minors in sorted(self.names[module].items()):
                groups.setdefault(span(minors), []).append(name)
            entry: dict[str, object] = {"in": span(self.modules[module])}
            if self.open[module]:
                entry["open"] = span(self.open[module])
            modules[module] = {**entry, "names": {key: " ".join(groups[key]) for key in sorted(groups, key=_order)}}
        return {
            "format": 1,
            "releases": {f"{major}.{minor}": self.releases[major, minor] for major, minor in order},
            "aliases": dict(sorted(self.aliases.items())),
            "modules": modules,
            "removed": self._removed(order),
            "removed_arguments": self._removed_arguments(order),
            "signatures": {
                name: {
                    span(minors): json.loads(text) for text, minors in sorted(forms.items(), key=lambda f: min(f[1]))
                }
                for name, forms in sorted(self.signatures.items())
            },
        }

    def _removed(self, order: list[Minor]) -> dict[str, dict[str, str]]:
        """Module -> the minor that removed names before or in the first supported one -> these names.

        Of a module that went as a whole only its own name is noted.
        """
        return {
            module: groups
            for module, names in sorted(self.earlier_names.items())
            if module in self.modules and (groups := self._by_removal(names, self.names[module], order))
        }

    def _removed_arguments(self, order: list[Minor]) -> dict[str, dict[str, str]]:
        """Function -> the minor that removed arguments before or in the first supported one -> these arguments.

        Of functions that a supported release has a signature of, and that do not take any argument in all of them.
        """
        found: dict[str, dict[str, str]] = {}
        for function, arguments in sorted(self.earlier_arguments.items()):
            forms = [json.loads(text) for text in self.signatures.get(function, ())]
            if not all(form[-1:] and form[-1].startswith("**") for form in forms):
                taken = {text.partition("=")[0] for form in forms for text in form}
                if groups := self._by_removal(arguments, taken, order):
                    found[function] = groups
        return found

    def _by_removal(self, last: Mapping[str, Minor], still: Container[str], order: list[Minor]) -> dict[str, str]:
        """The minor after the `last` one that has names -> these names, without those that are `still` there."""
        after = dict(itertools.pairwise([*sorted(self.earlier), *order[:1]]))
        groups: defaultdict[str, list[str]] = defaultdict(list)
        for name, minor in sorted(last.items()):
            if name not in still:
                groups["{}.{}".format(*after[minor])].append(name)
        return {key: " ".join(groups[key]) for key in sorted(groups, key=_order)}


def add_release(releases: dict[Minor, str], tree: SourceTree, place: Path) -> Minor:
    """Note in `releases` which torch `tree` (read from `place`) is, and give its minor.

    Raises `ValueError` when the tree does not say, or when `releases` has that minor already.
    """
    version = re.search(r"__version__ = '([\d.]+)", tree.text("torch/version.py"))
    if version is None:
        raise ValueError(f"{place}: torch/version.py gives no version")
    major, minor = version[1].split(".")[:2]
    key = (int(major), int(minor))
    if key in releases:
        raise ValueError(f"{place}: torch {major}.{minor} was already read from {releases[key]}")
    releases[key] = version[1]
    return key


def is_covered(module: str) -> bool:
    """Whether the names of `module` are recorded."""
    return any(
        module == package or (module.startswith(f"{package}.") and module[len(package) :].count(".") <= depth)
        for package, depth in COVERED
    )


def is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def spans(minors: set[Minor], order: list[Minor]) -> str:
    """The runs of `minors` among the releases read: "2.4..2.6||2.9"."""
    runs: list[list[Minor]] = []
    for before, minor in zip([None, *order], order, strict=False):
        if minor not in minors:
            continue
        if before in minors and runs:
            runs[-1].append(minor)
        else:
            runs.append([minor])
    return "||".join("..".join(f"{a}.{b}" for a, b in ((run[0], run[-1]) if len(run) > 1 else run)) for run in runs)


def _order(key: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", key)]


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the data about torch's names and signatures by release.")
    parser.add_argument("places", nargs="+", type=Path, help="wheels of torch, or folders that hold torch/")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    parser.add_argument("--earlier", nargs="*", type=Path, default=[], help="the same of releases before the supported")
    options = parser.parse_args()
    data = Data()
    try:
        for place in options.places:
            data.read(place)
        for place in options.earlier:
            data.read_earlier(place)
    except (OSError, ValueError, SyntaxError) as error:
        parser.error(str(error))
    options.output.write_text(json.dumps(data.document(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
