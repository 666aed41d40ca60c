"""What runs inside the user's processes: packages go elsewhere, nothing of the user is changed, all is noted."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.rerun.plan.plan import Step
from aoti_lint.rerun.read import events
from aoti_lint.rerun.result import Ran
from aoti_lint.rerun.run import children
from aoti_lint.rerun.run.children import Limits
from aoti_lint.rerun.run.folder import Workplace

FAKE = str(Path(__file__).resolve().parents[1] / "fake")


class Here:
    """A folder of the user with a package, and a rerun that is going on."""

    def __init__(self, root: Path) -> None:
        self.user = root / "user"
        self.user.mkdir()
        self.package = self.user / "model.pt2"
        self.package.write_text("theirs")
        os.utime(self.package, (1e9, 1e9))
        self._before = self.package.stat()
        self.work = Workplace(str(root / "work"))

    def run(self, source: str, command: tuple[str, ...] = ("script.py",), **step: Any) -> Ran:
        (self.user / "script.py").write_text(textwrap.dedent(source))
        fields = {"phase": "whole", "command": (sys.executable, *command), **step}
        return children.run(Step.model_validate(fields), self.work, Limits(seconds=60), lambda text: None)

    def out(self, source: str, **step: Any) -> str:
        ran = self.run(source, **step)
        assert ran.code == 0, self.work.log(ran)
        assert [event.text for event in self.work.events(ran) if event.event == "note"] == []
        return self.work.log(ran)

    def is_untouched(self) -> bool:
        """Not even for a moment."""
        stat, before = self.package.stat(), self._before
        return self.is_back() and (stat.st_ino, stat.st_ctime_ns) == (before.st_ino, before.st_ctime_ns)

    def is_back(self) -> bool:
        return self.package.read_text() == "theirs" and self.package.stat().st_mtime == 1e9


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Here:
    made = Here(tmp_path)
    monkeypatch.chdir(made.user)
    monkeypatch.setenv("PYTHONPATH", FAKE)
    return made


def of(found: list[events.Event], name: str) -> list[events.Event]:
    return [event for event in found if event.event == name]


@pytest.mark.parametrize("path", ["'model.pt2'", "os.path.abspath('model.pt2')", "pathlib.Path('model.pt2')"])
def test_a_package_that_exists(here: Here, path: str) -> None:
    log = here.out(
        f"""
        import os, pathlib
        from torch._inductor import aoti_compile_and_package, aoti_load_package
        import torch.export
        path = {path}
        made = aoti_compile_and_package(torch.export.export(1, ()), package_path=path)
        print(made == path, aoti_load_package(path)("input"), pathlib.Path(path).read_text(), os.path.getsize(path))
        """
    )
    assert log == "True (\"['pattern_matcher=True']\", 'input') ['pattern_matcher=True'] 24\n"
    assert here.is_untouched()


def test_what_is_noted(here: Here) -> None:
    ran = here.run(
        """
        import torch, torch.export, torch._inductor
        program = torch.export.export(1, ())
        torch._inductor.aoti_compile_and_package(program, package_path="new.pt2")
        model = torch._inductor.aoti_load_package("new.pt2")
        model(3)
        try:
            torch.export.export(None, ())
        except ValueError:
            pass
        """
    )
    found = here.work.events(ran)
    assert [event.event for event in found if event.event != "returned"] == [
        "start", "export", "compile", "saved", "lower", "load", "call", "export", "raised",
    ]  # fmt: skip
    (compiled,), (loaded,), (called,) = (of(found, name) for name in ("compile", "load", "call"))
    assert compiled.asked == str(here.user / "new.pt2")
    assert compiled.made == loaded.used == called.package
    assert compiled.made is not None
    assert compiled.made.startswith(here.work.root)
    assert not os.path.exists("new.pt2")
    assert here.work.packages() == {compiled.asked: compiled.made}
    assert (loaded.asked, loaded.kind, loaded.rerun) == (compiled.asked, "package", True)
    assert (called.load, called.inputs) == (loaded.number, (events.Leaf(kind="int", value="3"),))
    assert called.place is not None
    assert (called.place.path, called.place.line, called.place.text) == (str(here.user / "script.py"), 6, "model(3)")
    (raised,) = of(found, "raised")
    assert (raised.what, raised.type, raised.message) == ("export", "ValueError", "no model")
    assert raised.place is not None
    assert raised.place.line == 8
    (saved,) = of(found, "saved")
    assert Path(saved.path).read_text() == "['model']"
    assert events.unfinished(found) == []


OP = """
import os, torch.library, torch._inductor
def kernel(x):
    {body}
lab = torch.library.Library("lab", "DEF")
lab.impl("lab::pad2", kernel, "CPU")
kernel(1) if {alone} else None
torch._inductor.aoti_load_package("model.pt2")(7)
"""


def test_a_crash_in_a_custom_op(here: Here) -> None:
    ran = here.run(OP.format(body="os.abort()", alone=False))
    assert ran.how == "signal"
    call, op = events.unfinished(here.work.events(ran))
    assert (call.event, call.package) == ("call", str(here.package))
    assert (op.event, op.name, op.inputs) == ("op", "lab::pad2", (events.Leaf(kind="int", value="7"),))
    assert op.place is not None
    assert op.place.line == 6


def test_a_custom_op_that_raises(here: Here) -> None:
    ran = here.run(OP.format(body="return 1 // 0 if x == 7 else x", alone=True))
    assert ran.code == 1
    op, call = of(here.work.events(ran), "raised")
    assert (op.what, op.name, op.type) == ("op", "lab::pad2", "ZeroDivisionError")
    assert (call.what, call.message) == ("call", "integer division or modulo by zero")
    assert len(of(here.work.events(ran), "op")) == 1
    # Whoever reads the traceback finds no file of ours in it.
    assert "aoti_lint" not in here.work.log(ran)


def test_build_and_run_in_two_scripts(here: Here) -> None:
    build = "import torch._inductor\ntorch._inductor.aoti_compile_and_package(None, package_path='model.pt2')"
    run = "import torch._inductor\nprint(torch._inductor.aoti_load_package('model.pt2')(1))"
    assert "theirs" in here.out(run, phase="run")
    assert here.out(build, phase="build") == ""
    assert "pattern_matcher" in here.out(run, phase="run")
    # One that compiles begins anew: it would compile nothing if it found what a step before it made.
    assert "theirs" in here.out(run, phase="whole")
    assert here.is_untouched()


def test_one_that_compiles_only_where_there_is_none(here: Here) -> None:
    source = """
    import os, torch._inductor
    if not os.path.exists("model.pt2"):
        torch._inductor.aoti_compile_and_package(None, package_path="model.pt2")
    print(torch._inductor.aoti_load_package("model.pt2")(1))
    """
    assert "theirs" in here.out(source)
    here.work.hide("model.pt2")
    assert "pattern_matcher" in here.out(source)
    assert here.is_untouched()


def test_a_package_for_another(here: Here) -> None:
    Path("other.pt2").write_text("other")
    here.work.point("model.pt2", "other.pt2")
    assert "other" in here.out("import torch._inductor\nprint(torch._inductor.aoti_load_package('model.pt2')(1))")


@pytest.mark.parametrize("change", [
    "shutil.copy('new.bin', 'model.pt2')",
    "shutil.copy2('new.bin', 'model.pt2')",
    "shutil.move('new.bin', 'model.pt2')",
    "os.replace('new.bin', 'model.pt2')",
    "pathlib.Path('new.bin').rename('model.pt2')",
    "os.remove('model.pt2'); os.rename('new.bin', 'model.pt2')",
    "pathlib.Path('model.pt2').unlink(); assert not pathlib.Path('model.pt2').exists()\n"
    "shutil.copyfile('new.bin', 'model.pt2')",
    "os.rename('model.pt2', 'old.pt2'); assert open('old.pt2').read() == 'theirs'; os.remove('old.pt2')\n"
    "pathlib.Path('model.pt2').write_text('new')",
    "file = open('model.pt2', 'r+'); assert file.read() == 'theirs'; file.seek(0); file.truncate(); file.write('new')\n"
    "file.close()",
    "os.close(os.open('model.pt2', os.O_WRONLY | os.O_TRUNC)); open('model.pt2', 'a').write('new')",
])  # fmt: skip
def test_a_new_package_over_the_old(here: Here, change: str) -> None:
    source = f"import os, pathlib, shutil\nopen('new.bin', 'w').write('new')\n{change}\nprint(open('model.pt2').read())"
    assert here.out(source) == "new\n"
    assert here.is_untouched()


@pytest.mark.parametrize("change", [
    "subprocess.run(['cp', 'new.bin', 'model.pt2'], check=True)",
    "subprocess.run('cp new.bin model.pt2', shell=True, check=True)",
    "os.system('cp new.bin model.pt2')",
    "os.system('rm \"model.pt2\"; cp new.bin model.pt2')",
    "shutil.rmtree('../user'); os.mkdir('../user'); os.chdir('../user'); open('model.pt2', 'w').write('new')",
    "os.rename('../user', '../moved'); os.mkdir('../user'); os.chdir('../user'); open('model.pt2', 'w').write('new')",
])  # fmt: skip
def test_what_is_undone(here: Here, change: str) -> None:
    source = (
        "import os, shutil, subprocess\nopen('new.bin', 'w').write('new')\n"
        f"{change}\nprint(subprocess.run(['cat', 'model.pt2'], capture_output=True).stdout)"
    )
    assert here.out(source) == "b'new'\n"
    assert here.is_back()


def test_a_library_that_exists(here: Here) -> None:
    library = here.user / "model.so"
    library.write_text("theirs")
    os.utime(library, (1e9, 1e9))
    log = here.out(
        """
        import os, torch._export
        path = torch._export.aot_compile(1, (), options={"aot_inductor.output_path": "model.so"})
        print(path, torch._export.aot_load(path, "cpu")(1))
        open("model.so", "w").write("by hand")
        """
    )
    assert log == "model.so ('library', 1)\n"
    assert library.read_text() == "theirs"
    assert library.stat().st_mtime == 1e9


def test_settings_win(here: Here) -> None:
    source = """
    import torch._inductor.config
    print(torch._inductor.config.pattern_matcher)
    torch._inductor.config.pattern_matcher = True
    torch._inductor.aoti_compile_and_package(
        None, package_path="new.pt2", inductor_configs={"pattern_matcher": True}
    )
    print(open("new.pt2").read(), torch._inductor.config.pattern_matcher)
    """
    log = here.out(source, config={"torch._inductor.config.pattern_matcher": False})
    assert log == "False\n['pattern_matcher=False'] True\n"


def test_a_setting_that_this_torch_does_not_have(here: Here) -> None:
    source = "import torch._inductor\ntorch._inductor.aoti_compile_and_package(None, package_path='new.pt2')"
    ran = here.run(source, config={"torch._inductor.config.magic": 1})
    assert ran.code == 0
    (note,) = of(here.work.events(ran), "note")
    assert note.text == "torch._inductor.config has no magic in this version of torch: it was not set"


def test_another_torch(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    (here.user / "old" / "torch" / "_inductor").mkdir(parents=True)
    (here.user / "old" / "torch" / "__init__.py").write_text("")
    (here.user / "old" / "torch" / "_inductor" / "__init__.py").write_text("def aoti_compile_and_package(ep): return 5")
    monkeypatch.setenv("PYTHONPATH", "old")
    assert here.out("import torch._inductor\nprint(torch._inductor.aoti_compile_and_package(1))") == "5\n"


def test_hooks_that_fail(here: Here) -> None:
    ran = here.run(
        """
        import shutil, torch._inductor, os
        class Path:
            def __fspath__(self):
                raise OSError("no path")
        print(torch._inductor.aot_compile(1, ()))
        shutil.rmtree(os.path.dirname(os.environ["AOTI_LINT_RERUN"]) + "/events")
        if os.fork() == 0:
            print(torch._inductor.aoti_load_package("model.pt2")(1))
            os._exit(0)
        os.wait()
        try:
            torch._inductor.aoti_load_package(Path())
        except OSError as error:
            print(error)
        """
    )
    assert here.work.log(ran) == "pattern_matcher=True\n('theirs', 1)\nno path\n"


def test_every_process_is_noted(here: Here) -> None:
    ran = here.run(
        """
        import os, subprocess, sys, torch._inductor
        torch._inductor.aoti_load_package("model.pt2")
        if os.fork() == 0:
            torch._inductor.aoti_load_package("model.pt2")
            os._exit(0)
        os.wait()
        subprocess.run([sys.executable, "-c", "import torch._inductor as i; i.aoti_load_package('model.pt2')"])
        """
    )
    assert len({event.pid for event in of(here.work.events(ran), "load")}) == 3


HANDS = """
import sys, torch._inductor
print(sys.argv, __name__, sys.modules["__main__"].__dict__ is globals())
torch._inductor.aoti_load_package("model.pt2")
"""


@pytest.mark.parametrize("command", [
    ("script.py", "a"), ("-m", "script", "a"), ("-I", "script.py", "a"), ("-E", "-m", "script", "a"),
    ("-Em", "script", "a"), ("-IW", "ignore", "-X", "utf8", "script.py", "a"), ("-uI", "-c", HANDS, "a"),
    ("-c", HANDS, "a"),
])  # fmt: skip
def test_ways_to_start(here: Here, command: tuple[str, ...]) -> None:
    path = f"import sys; sys.path.insert(0, {FAKE!r})\n"
    command = tuple(path + word if word is HANDS else word for word in command)
    (here.user / "script.py").write_text(path + HANDS)
    plain = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=True).stdout
    ran = here.run(path + HANDS, command)
    assert (ran.code, here.work.log(ran)) == (0, plain)
    assert [event.event for event in here.work.events(ran)] == ["start", "load", "returned"]


def test_pytest(here: Here) -> None:
    (here.user / "test_it.py").write_text(
        "import torch._inductor\ndef test_it():\n    assert torch._inductor.aoti_load_package('model.pt2')(1)[1] == 1\n"
    )
    ran = here.run("", ("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py"))
    assert ran.code == 0, here.work.log(ran)
    (call,) = of(here.work.events(ran), "call")
    assert call.place is not None
    assert call.place.function == "test_it"


def test_the_sitecustomize_of_the_user(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    (here.user / "theirs").mkdir()
    (here.user / "theirs" / "sitecustomize.py").write_text(
        "print('theirs', __name__)\nimport torch._inductor\nmine = 1"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(here.user / "theirs"), FAKE]))
    log = here.out(
        """
        import sitecustomize, sys, torch._inductor
        torch._inductor.aoti_load_package("model.pt2")
        print(sitecustomize.mine, any("inside" in path for path in sys.path))
        """
    )
    assert log == "theirs sitecustomize\n1 False\n"


def test_a_program_is_given_our_package(here: Here) -> None:
    here.out("import torch._inductor\ntorch._inductor.aoti_compile_and_package(None, package_path='model.pt2')")
    step = Step(phase="run", command=("cat", "model.pt2", "script.py"))
    ran = children.run(step, here.work, Limits(seconds=60), lambda text: None)
    assert here.work.log(ran).startswith("['pattern_matcher=True']")


def test_many_events(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = here.run(
        """
        import sys, torch._inductor
        module = sys.modules["_aoti_lint_inside.events"]
        module.FIRST, module.LATER = 3000, 2000
        model = torch._inductor.aoti_load_package("model.pt2")
        for each in range(100):
            model(each)
        """
    )
    called = [event.inputs[0].value for event in of(here.work.events(ran), "call")]
    assert called[:2] == ["0", "1"]
    assert called[-1] == "99"
    assert 5 < len(called) < 60


def test_functions_for_files_are_what_they_were(here: Here) -> None:
    log = here.out(
        """
        import inspect, os, pathlib, shutil, pickle
        class Files:
            opened = open
            seen = os.stat
        print(Files().opened("script.py").readline(), Files().seen("script.py").st_size > 5, open.__name__)
        print(os.stat in os.supports_dir_fd, shutil.rmtree.avoids_symlink_attacks, os.open in os.supports_dir_fd)
        print(os.path.exists("model.pt2"), os.stat(0).st_mode > 0, pathlib.Path("model.pt2").read_text())
        for wrong in (lambda: open(), lambda: open("model.pt2", 3), lambda: os.stat("none.pt2")):
            try:
                wrong()
            except Exception as error:
                print(type(error).__name__)
        """
    )
    assert log.splitlines()[1:] == [
        " True open", "True True True", "True True theirs", "TypeError", "TypeError", "FileNotFoundError",
    ]  # fmt: skip


def test_the_functions_of_2_5(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    """`package_aoti` takes a folder there, and `load_package` gives a function."""
    folder = here.user / "old" / "torch" / "_inductor" / "package"
    folder.mkdir(parents=True)
    for part in (folder, folder.parent, folder.parent.parent):
        (part / "__init__.py").write_text("")
    (folder / "package.py").write_text(
        "def package_aoti(aoti_output_dir): return aoti_output_dir\n"
        "def load_package(path, device):\n"
        "    def optimized(*args): return path, device, args\n"
        "    return optimized\n"
    )
    monkeypatch.setenv("PYTHONPATH", "old")
    ran = here.run(
        """
        from torch._inductor.package.package import load_package, package_aoti
        print(package_aoti("folder"), load_package("model.pt2", "cpu")(1))
        """
    )
    assert here.work.log(ran) == "folder ('model.pt2', 'cpu', (1,))\n"
    assert [event.event for event in here.work.events(ran)] == ["start", "load", "returned", "call", "returned"]


def test_a_package_that_cannot_be_written(here: Here) -> None:
    ran = here.run(
        """
        import os, torch._inductor
        os.mkdir("folder.pt2")
        for path in ("no/such/folder/model.pt2", "folder.pt2"):
            try:
                torch._inductor.aoti_compile_and_package(None, package_path=path)
            except OSError as error:
                print(type(error).__name__)
        """
    )
    assert here.work.log(ran) == "FileNotFoundError\nIsADirectoryError\n"


def test_a_function_in_the_place_of_another(here: Here) -> None:
    folder = here.user / "mine" / "torch"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "export.py").write_text("def export(): return 1\ndef other(): return 2\n")
    source = (
        f"import sys; sys.path.insert(0, {str(folder.parent)!r})\nimport torch.export\nprint(torch.export.export())"
    )
    assert here.out(source) == "1\n"
    assert here.out(source, replace={"torch.export.export": "torch.export.other"}) == "2\n"
