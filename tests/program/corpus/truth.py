"""Keeps the archives that the scripts of `tests/truth` write, with what torch says of each: `python truth.py FOLDER`.

Every script is run in a process and folder of its own, in the environment its label names, with `torch.export.save`,
`aoti_compile_and_package` and `package_aoti` watched. What they write is copied at once, as some scripts crash later,
loaded again with the operators that the script defines, and packed as `trim.py` does.
"""

import ast
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

TRUTH = Path(__file__).resolve().parents[2] / "truth"
WRITES = re.compile(r"export\.save|aoti_compile_and_package|package_aoti|package_pt2")
DEFINES = re.compile(r"ibrary|register|_LIB|\.define\(|\.impl\(")
ROOM = 2048


def watch(script: Path, folder: Path) -> None:
    """Run a script and copy the archives it writes to `folder`, numbered."""
    import torch._inductor.package as package
    import torch.export

    count = 0

    def keep(path: Any, kind: str) -> None:
        nonlocal count
        if isinstance(path, (str, os.PathLike)) and os.fspath(path).endswith(".pt2") and os.path.exists(path):
            count += 1
            shutil.copy(path, folder / f"{script.name[:3]}_{count}.{kind}.pt2")

    def watched(owner: Any, name: str, kind: str, path_of: Callable[[Any, tuple[Any, ...]], Any]) -> None:
        original = getattr(owner, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            result = original(*args, **kwargs)
            keep(path_of(result, args), kind)
            return result

        setattr(owner, name, call)

    watched(torch.export, "save", "program", lambda result, args: args[1])
    watched(torch._inductor, "aoti_compile_and_package", "aoti", lambda result, args: result)
    watched(package, "package_aoti", "inner", lambda result, args: result)
    sys.path.insert(0, str(script.parent))
    runpy.run_path(str(script), run_name="__main__")


def define_operators(script: Path) -> None:
    """Run the parts of a script that define operators: imports, functions, classes and calls about libraries."""
    kept: dict[str, Any] = {"__name__": "truth"}
    globals().setdefault("_alive", []).append(kept)
    for node in ast.parse(script.read_text()).body:
        text = ast.unparse(node)
        about = isinstance(node, (ast.Assign, ast.Expr)) and DEFINES.search(text)
        if about or isinstance(node, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)):
            try:
                exec(compile(ast.Module([node], []), str(script), "exec"), kept)
            except Exception as error:
                print(f"{script.name}: {type(error).__name__}: {error}", file=sys.stderr)


def look(path: Path, script: Path) -> None:
    """Write what torch says of an archive beside it."""
    import torch
    import torch._inductor.package
    from view import program_view, stated

    define_operators(script)
    if path.name.endswith(".program.pt2"):
        view = program_view(path)
    else:
        with zipfile.ZipFile(path) as archive:
            found = {match[1] for name in archive.namelist() if (match := re.search(r"aotinductor/([^/]+)/", name))}
        models = {name: stated(torch._inductor.package.load_package(str(path), name)) for name in sorted(found)}
        view = {"models": models}
    Path(str(path).removesuffix(".pt2") + ".view.json").write_text(json.dumps(view, indent=1))


def main(target: Path) -> None:
    from trim import pack

    target.mkdir(parents=True, exist_ok=True)
    labels = json.loads((TRUTH / "labels.json").read_text())
    for script in sorted((TRUTH / "scripts").glob("*.py")):
        if not WRITES.search(script.read_text()):
            continue
        wanted = {key: str(value) for key, value in (labels[script.name].get("env") or {}).items()}
        folder = Path(tempfile.mkdtemp())
        made = folder / "made"
        made.mkdir()
        command = [sys.executable, str(Path(__file__).resolve())]
        env = {**os.environ, **wanted}
        subprocess.run([*command, "watch", str(script), str(made)], cwd=folder, env=env, check=False)
        paths = sorted(made.glob("*.pt2"))
        if any(path.name.endswith(".aoti.pt2") for path in paths):
            # The package of `aoti_compile_and_package` is what `package_aoti` wrote inside of it.
            paths = [path for path in paths if not path.name.endswith(".inner.pt2")]
        for path in paths:
            done = subprocess.run([*command, "look", str(path), str(script)], check=False)
            view = Path(str(path).removesuffix(".pt2") + ".view.json")
            if done.returncode or not view.exists():
                print(f"{path.name}: torch does not load it", file=sys.stderr)
                continue
            with zipfile.ZipFile(path) as archive:
                pack(target / path.name, [(info.filename, archive.read(info)) for info in archive.infolist()], ROOM)
            shutil.copy(view, target)


if __name__ == "__main__":
    if sys.argv[1] == "watch":
        watch(Path(sys.argv[2]), Path(sys.argv[3]))
    elif sys.argv[1] == "look":
        look(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        main(Path(sys.argv[1]))
