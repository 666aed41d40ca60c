"""Files made to harm: each ends in Unreadable or in a description, within seconds, and nothing is imported or run."""

from __future__ import annotations

import io
import pickle
import random
import re
import struct
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from aoti_lint.program.errors import Unreadable
from aoti_lint.program.weights.file import WeightFile
from aoti_lint.program.weights.pickled import read_pickled
from aoti_lint.program.weights.reading import read_weights

HERE = Path(__file__).parent
SECONDS = 20.0


def zipped(pickled: bytes, folder: str = "archive/", *, twice: bool = False, method: int = zipfile.ZIP_STORED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        archive.writestr(f"{folder}data.pkl", pickled)
        archive.writestr(f"{folder}data/0", b"\0" * 400)
        if twice:
            with pytest.warns(UserWarning, match="Duplicate name"):
                archive.writestr(f"{folder}data.pkl", b"\x80\x02}.")
    return out.getvalue()


def read(data: bytes) -> WeightFile | str:
    """What comes of it: the description or the message."""
    begun = time.process_time()
    try:
        found: WeightFile | str = read_pickled(io.BytesIO(data), "w.pt")
    except Unreadable as problem:
        found = str(problem)
        assert len(found) < 1000
        found.encode("utf-8")
    assert time.process_time() - begun < SECONDS
    return found


class Evil:
    def __reduce__(self) -> tuple[object, ...]:
        import os

        return os.system, ("touch /tmp/aoti-lint-was-here",)


P = b"\x80\x04"


def key(text: str) -> bytes:
    raw = text.encode()
    return b"X" + struct.pack("<I", len(raw)) + raw


STORAGE = b"(" + key("storage") + b"ctorch\nFloatStorage\n" + key("0") + key("cpu") + b"K\x64tQ"
REBUILD = b"ctorch._utils\n_rebuild_tensor_v2\n"


def tensor(size: bytes, strides: bytes, offset: bytes = b"K\x00", storage: bytes = STORAGE) -> bytes:
    return REBUILD + b"(" + storage + offset + size + strides + b"\x89ccollections\nOrderedDict\n)RtR"


def state(value: bytes) -> bytes:
    return P + b"}" + key("w") + value + b"s."


FINE = tensor(b"K\x02K\x03\x86", b"K\x03K\x01\x86")

BOMBS: dict[str, tuple[bytes, str]] = {
    "memo loops": (P + b"]q\x00h\x00a" + b"h\x00a" * 100_000 + b".", "of type list"),
    "laughs": (P + b")q\x00" + b"".join(b"h%ch%c\x86q%c" % (n, n, n + 1) for n in range(250)) + b".", "of type tuple"),
    "list in a dict in itself": (P + b"}q\x00" + key("a") + b"h\x00s.", "without tensors"),
    "huge LONG4": (P + b"\x8b" + struct.pack("<i", 2**31 - 1) + b"1.", "damaged or cut off"),
    "negative LONG4": (P + b"\x8b" + struct.pack("<i", -5) + b"1.", "damaged or cut off"),
    "long LONG4": (P + b"\x8b" + struct.pack("<i", 10**7) + b"\x01" * 10**7 + b".", "holds a huge int"),
    "long digits": (P + b"I" + b"9" * 10**7 + b"\n.", "damaged or cut off"),
    "long float": (P + b"F" + b"9" * 10**7 + b"\n.", "damaged or cut off"),
    "huge BINUNICODE8": (P + b"\x8d" + struct.pack("<Q", 2**63) + b"a.", "damaged or cut off"),
    "huge BINBYTES8": (P + b"\x8e" + struct.pack("<Q", 2**40) + b"a.", "damaged or cut off"),
    "huge BYTEARRAY8": (b"\x80\x05\x96" + struct.pack("<Q", 2**40) + b"a.", "damaged or cut off"),
    "huge frame": (P + b"\x95" + struct.pack("<Q", 2**62) + b"}.", ""),
    "deep lists": (P + b"]" + b"]" * 300_000 + b"a" * 300_000 + b".", "of type list"),
    "deep tuples": (P + b")" + b"\x85" * 500_000 + b".", "of type tuple"),
    "deep tuple as key": (P + b"})" + b"\x85" * 500_000 + b"K\x01s.", ""),
    "deep dicts": (P + b"}" + (key("model") + b"}") * 100_000 + b"s" * 100_000 + b".", "without tensors"),
    "deep calls": (P + b"cos\nsystem\n" * 50_000 + b")" + b"R\x85" * 50_000 + b".", "of type tuple"),
    "many marks": (P + b"(" * 1_000_000 + b".", "damaged"),
    "mark popped": (P + b"(0.", "damaged"),
    "tuple over a mark": (P + b"K\x01(\x86.", "damaged"),
    "empty stack": (P + b"R.", "damaged"),
    "no stop": (P + b"}", "damaged or cut off"),
    "nothing": (b"", "damaged or cut off"),
    "no memo": (P + b"h\x07.", "damaged"),
    "bad opcode": (P + b"\xff.", "damaged or cut off"),
    "odd items": (P + b"}(K\x01u.", "damaged"),
    "huge memo index": (P + b"}r\xff\xff\xff\xff.", ""),
    "negative memo index": (P + b"}p-5\ng-5\n.", ""),
    "opcodes without end": (P + b"N0" * 2_500_000 + b".", "more than"),
    "unnamed global": (P + b"K\x01K\x02\x93.", "has no name"),
    "one-word INST": (P + b"(ios\nsystem\n.", r"an object of os\.system"),
    "OBJ": (P + b"(cos\nsystem\n" + key("true") + b"o.", r"an object of os\.system"),
    "NEWOBJ_EX": (P + b"cos\nsystem\n)}\x92.", r"an object of os\.system"),
    "extension": (P + b"\x82\x01.", "registered extension"),
    "lone surrogate": (P + b"X\x03\x00\x00\x00\xed\xa0\x80.", "of type str"),
    "surrogate in a global": (P + b"X\x03\x00\x00\x00\xed\xa0\x80" + key("f") + b"\x93)R.", "an object of"),
    "huge shape": (state(tensor(b"\x8a\x08" + b"\xff" * 7 + b"\x7f\x85", b"K\x01\x85")), ""),
    "negative shape": (state(tensor(b"J\xff\xff\xff\xff\x85", b"K\x01\x85")), "without tensors"),
    "negative offset": (state(tensor(b"K\x01\x85", b"K\x01\x85", b"J\xff\xff\xff\xff")), "without tensors"),
    "shape of many": (state(tensor(b"(" + b"K\x01" * 500_000 + b"t", b")")), "without tensors"),
    "strides for another shape": (state(tensor(b"K\x01\x85", b")")), "without tensors"),
    "storage of text": (state(tensor(b")", b")", storage=key("s"))), "without tensors"),
    "storage elsewhere": (state(FINE.replace(b"X\x01\x00\x00\x000", b"X\x04\x00\x00\x00../0")), ""),
    "device with a surrogate": (state(FINE.replace(b"X\x03\x00\x00\x00cpu", b"X\x03\x00\x00\x00\xed\xa0\x80")), ""),
    "name with a surrogate": (P + b"}X\x03\x00\x00\x00\xed\xa0\x80" + FINE + b"s.", ""),
    "rebuild without arguments": (state(REBUILD + b")R"), "without tensors"),
    "rebuild of itself": (
        state(b"ctorch._tensor\n_rebuild_from_type_v2\n(" * 50_000 + b"N" + b"tR" * 50_000), "without tensors"
    ),
    "pairs that are none": (P + b"ccollections\nOrderedDict\n]K\x01a\x85R.", "an object of collections"),
    "evil": (pickle.dumps({"w": Evil()}, 2), "without tensors"),
    "evil by itself": (pickle.dumps(Evil(), 4), r"an object of posix\.system|an object of nt\.system"),
}  # fmt: skip


@pytest.mark.parametrize("case", BOMBS)
def test_bomb(case: str) -> None:
    pickled, words = BOMBS[case]
    found = read(zipped(pickled))
    if words:
        assert isinstance(found, str)
        assert re.search(words, found), found
    else:
        assert isinstance(found, WeightFile), found


def test_the_fine_one() -> None:
    found = read(zipped(state(FINE)))
    assert isinstance(found, WeightFile)
    assert [(entry.name, entry.bytes) for entry in found.entries] == [("w", 24)]
    assert found.problems == ()


def test_a_storage_elsewhere_is_only_a_name() -> None:
    found = read(zipped(BOMBS["storage elsewhere"][0]))
    assert isinstance(found, WeightFile)
    assert found.problems[0].member == "data/../0"


def test_unpacks_to_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aoti_lint.program.weights.pickled.MAX_PICKLE", 10**6)
    found = read(zipped(P + b"N0" * 10**6 + b".", method=zipfile.ZIP_DEFLATED))
    assert isinstance(found, str)
    assert "is longer than" in found


def test_two_members_of_one_name() -> None:
    found = read(zipped(state(FINE), twice=True))
    assert isinstance(found, str)
    assert 'two members "archive/data.pkl"' in found


@pytest.mark.parametrize("folder", ["../", "/", "a/b/", "..\\", ""])
def test_odd_folders(folder: str) -> None:
    """Names are compared and never used as paths."""
    read(zipped(state(FINE), folder))


def test_encrypted() -> None:
    data = bytearray(zipped(state(FINE)))
    data[6] |= 1
    at = data.index(b"PK\x01\x02")
    data[at + 8] |= 1
    assert "damaged zip archive" in str(read(bytes(data)))


@pytest.mark.parametrize("name", ["state_2.pt", "classes_4.pt", "tied_5.pt"])
def test_cut_and_changed(name: str) -> None:
    """Every cut and a thousand random changes of a real file, in the archive and in the pickle alone."""
    real = (HERE / "saved" / name).read_bytes()
    with zipfile.ZipFile(io.BytesIO(real)) as archive:
        pickled = next(archive.read(member) for member in archive.namelist() if member.endswith("/data.pkl"))
    for size in range(0, len(real), 97):
        read(real[:size])
    for size in range(0, len(pickled), 11):
        read(zipped(pickled[:size]))
    chance = random.Random(name)
    for _ in range(500):
        for original, wrap in ((real, bytes), (pickled, zipped)):
            changed = bytearray(original)
            for _ in range(chance.choice((1, 1, 4, 30))):
                changed[chance.randrange(len(changed))] = chance.randrange(256)
            read(wrap(bytes(changed)))


def test_changed_headers(tmp_path: Path) -> None:
    real = (HERE / "safetensors" / "dtypes.safetensors").read_bytes()
    chance = random.Random(0)
    for number in range(500):
        changed = bytearray(real)
        for _ in range(chance.choice((1, 4))):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
        path = tmp_path / f"{number % 7}.safetensors"
        path.write_bytes(changed)
        try:
            read_weights(path)
        except Unreadable:
            pass


CHILD = """
import encodings.cp437, io, sys
from aoti_lint.program.errors import Unreadable
from aoti_lint.program.weights.pickled import read_pickled
read_pickled(open(sys.argv[2], "rb"), "warm")
before = set(sys.modules)
sys.addaudithook(lambda event, args: event in ("os.system", "subprocess.Popen", "exec", "pickle.find_class")
                 and print("audit", event))
try:
    read_pickled(open(sys.argv[1], "rb"), "w")
except Unreadable as problem:
    print(problem)
print("new", sorted(set(sys.modules) - before))
"""


@pytest.mark.parametrize("module", ["os system", "turtle Pen", "this f", "torch._utils unknown", "numpy array"])
def test_nothing_is_imported(module: str, tmp_path: Path) -> None:
    path = tmp_path / "w.pt"
    path.write_bytes(zipped(P + b"c" + module.replace(" ", "\n").encode() + b"\n" + key("true") + b"\x85R."))
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(path), str(HERE / "saved" / "state_2.pt")],
        cwd=HERE.parents[2],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    lines = done.stdout.splitlines()
    assert lines[-1] == "new []"
    assert not any(line.startswith("audit") for line in lines), lines
    assert f"an object of {module.replace(' ', '.')}" in lines[0]
