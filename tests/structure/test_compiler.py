"""The compiler of tests compiles what torch writes once, and everything else as it is."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.compiler import OBJECTS, environment

CXX = environment({}).get("CXX")
TEXT = "// in {folder}\nextern {c} int f() {{ return {number}; }}\n"


@pytest.mark.skipif(CXX is None, reason="needs a g++ that it works for")
def test_the_same_source_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    objects = tmp_path / "objects"
    objects.mkdir()
    monkeypatch.setenv(OBJECTS, str(objects))

    def compiled(name: str, number: int = 1, *flags: str) -> bytes:
        folder = tmp_path / f"{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        (folder / name).write_text(TEXT.format(folder=folder, c='"C"', number=number), encoding="utf-8")
        subprocess.run([str(CXX), str(folder / name), *flags, "-c", "-o", str(folder / "made.o")], check=True)
        return (folder / "made.o").read_bytes()

    first = compiled("a.kernel.cpp")
    assert compiled("b.kernel.cpp") == first
    assert len(list(objects.iterdir())) == 1
    assert compiled("b.kernel.cpp", 2) != first
    compiled("b.kernel.cpp", 1, "-O2")
    compiled("b.wrapper.cpp", 3)
    assert len(list(objects.iterdir())) == 4
    compiled("b.cpp")
    monkeypatch.delenv(OBJECTS)
    compiled("c.kernel.cpp", 5)
    assert len(list(objects.iterdir())) == 4


@pytest.mark.skipif(CXX is None, reason="needs a g++ that it works for")
def test_what_cannot_be_compiled_is_said_each_time(tmp_path: Path) -> None:
    (tmp_path / "a.kernel.cpp").write_text("int f() { return }\n", encoding="utf-8")
    for _ in range(2):
        command = [str(CXX), str(tmp_path / "a.kernel.cpp"), "-c", "-o", str(tmp_path / "a.o")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode
        assert "error:" in done.stderr
