"""Headers of safetensors: files of the package against what it finds in them, and files by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.program.errors import Unreadable
from aoti_lint.program.weights.reading import read_weights

WRITTEN = Path(__file__).parent / "safetensors"
VIEWS: dict[str, Any] = json.loads((WRITTEN / "views.json").read_text(encoding="utf-8"))["files"]


def by_hand(header: object, data: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def tensor(begin: int, end: int, shape: list[int] | None = None, dtype: str = "F32") -> dict[str, object]:
    return {"dtype": dtype, "shape": [(end - begin) // 4] if shape is None else shape, "data_offsets": [begin, end]}


@pytest.mark.parametrize("name", VIEWS)
def test_written(name: str) -> None:
    """Dtype, shape, strides and bytes are those of the loaded tensors; a header does not say a device."""
    file = read_weights(WRITTEN / name)
    assert (file.format, file.metadata) == ("safetensors", VIEWS[name]["metadata"])
    found = {entry.name: entry for entry in file.entries}
    assert set(found) == set(VIEWS[name]["names"])
    for key, wanted in VIEWS[name]["names"].items():
        seen = found[key].tensor
        assert seen is not None
        assert (seen.dtype, list(seen.shape)) == (wanted["dtype"], wanted["shape"])
        assert seen.strides is not None
        assert list(seen.strides) == wanted["strides"]
        assert (found[key].bytes, seen.device) == (wanted["bytes"], None)
        # Each is loaded into a storage of its own, so there is nothing to say of views.
        assert wanted["own storage"]
        assert found[key].storage_bytes is None


def test_left_out_twins() -> None:
    """`save_model` writes to the metadata which tied names it left out."""
    assert read_weights(WRITTEN / "tied.safetensors").twins == {"1.weight": "0.weight"}


PAIR = {"a": tensor(0, 4), "b": tensor(4, 12)}

DAMAGED: dict[str, tuple[bytes, str]] = {
    "short": (b"\x01\x00", "is cut off"),
    "header cut": (by_hand(PAIR)[:30], "is cut off: its safetensors header should have"),
    "data cut": (by_hand(PAIR, b"0" * 8), r"is cut off: its header describes 12 bytes of data, and 8 are there"),
    "data left": (by_hand(PAIR, b"0" * 16), "4 bytes at its end belong to no name"),
    "hole": (by_hand({"a": tensor(0, 4), "b": tensor(8, 12)}, b"0" * 12), 'damaged: 4 bytes before those of "b"'),
    "overlap": (by_hand({"a": tensor(0, 8), "b": tensor(4, 12)}, b"0" * 12), '"b" overlaps that of "a"'),
    "twice": (by_hand(b'{"a": {}, "a": {}}'), '"a" stands there twice'),
    "backwards": (by_hand({"a": tensor(8, 4, [1])}), "not a start and an end"),
    "negative": (by_hand({"a": tensor(-4, 0, [1])}), "not a start and an end"),
    "wrong size": (by_hand({"a": tensor(0, 4, [2])}, b"0000"), "takes 8 bytes by its dtype and shape, 4 by offsets"),
    "overflow": (by_hand({"a": tensor(0, 4, [2**62, 4])}, b"0000"), "by its dtype and shape"),
    "huge number": (by_hand(b'{"a": {"dtype": "F32", "shape": [' + b"9" * 100_000 + b"]}}"), "4300 digits"),
    "bad dtype": (by_hand({"a": tensor(0, 4, dtype="F33")}, b"0000"), '"F33", is none that'),
    "bad shape": (by_hand({"a": {"dtype": "F32", "shape": [1.5], "data_offsets": [0, 4]}}), "not a list of sizes"),
    "true for a size": (by_hand(b'{"a": {"dtype": "F32", "shape": [true], "data_offsets": [0, 4]}}'), "list of sizes"),
    "not described": (by_hand({"a": 3}), "not described by an object"),
    "bad metadata": (by_hand({"__metadata__": {"a": 1}}), "not a map of text to text"),
    "list": (by_hand(b"[1, 2]"), "not a JSON object"),
    "not json": (by_hand(b"{not json}"), "is damaged"),
    "not utf-8": (by_hand(b'{"\xff": 1}'), "is damaged"),
    "deep": (by_hand(b'{"a":' + b"[" * 200_000), "nested too deeply"),
    "many values": (by_hand(b'{"a":[' + b"1," * 5_000_001 + b"1]}"), "has more than"),
    "huge header": ((2**62).to_bytes(8, "little") + b"{}", "is cut off"),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_damaged(case: str, tmp_path: Path) -> None:
    data, words = DAMAGED[case]
    (tmp_path / "w.safetensors").write_bytes(data)
    with pytest.raises(Unreadable, match=words):
        read_weights(tmp_path / "w.safetensors")


def test_lone_surrogates_are_written_out(tmp_path: Path) -> None:
    (tmp_path / "w.safetensors").write_bytes(by_hand(b'{"\\ud800": {"dtype":"U8","shape":[0],"data_offsets":[0,0]}}'))
    assert [entry.name for entry in read_weights(tmp_path / "w.safetensors").entries] == ["\\ud800"]


# ---------------------------------------------------------------- sharded


def shards(folder: Path, listed: dict[str, str], metadata: object = None) -> Path:
    for file, name in (("one.safetensors", "a"), ("two.safetensors", "b")):
        (folder / file).write_bytes(by_hand({name: tensor(0, 4)}, b"0000"))
    index = folder / "model.safetensors.index.json"
    index.write_text(json.dumps({"metadata": metadata or {}, "weight_map": listed}))
    return index


def test_sharded(tmp_path: Path) -> None:
    file = read_weights(shards(tmp_path, {"a": "one.safetensors", "b": "two.safetensors"}, {"total_size": 8}))
    assert [(entry.name, entry.part) for entry in file.entries] == [("a", "one.safetensors"), ("b", "two.safetensors")]
    assert file.problems == ()


def test_sharded_by_torch(tmp_path: Path) -> None:
    """`pytorch_model.bin.index.json` lists files of torch.save; storages with the same key differ by file."""
    saved = (Path(__file__).parent / "saved" / "tied_2.pt").read_bytes()
    (tmp_path / "1.bin").write_bytes(saved)
    (tmp_path / "2.bin").write_bytes(saved)
    index = tmp_path / "pytorch_model.bin.index.json"
    index.write_text(json.dumps({"weight_map": {"a": "1.bin", "b": "2.bin"}}))
    file = read_weights(index)
    assert file.format == "torch"
    assert [(entry.name, entry.storage, entry.tied) for entry in file.entries] == [
        ("a", "1.bin:0", None),
        ("b", "2.bin:0", None),
    ]


def test_index_and_shards_disagree(tmp_path: Path) -> None:
    file = read_weights(shards(tmp_path, {"a": "one.safetensors", "c": "two.safetensors"}))
    assert [entry.name for entry in file.entries] == ["a"]
    assert [problem.message for problem in file.problems] == [
        'model.safetensors.index.json says that "c" would be in "two.safetensors", but it is not there',
        '"two.safetensors" also holds "b", which model.safetensors.index.json does not list there: not counted',
    ]


@pytest.mark.parametrize(
    ("listed", "words"),
    [
        ("three.safetensors", "is not there; download or copy the whole set"),
        ("../one.safetensors", "not in its folder"),
        ("..\\one.safetensors", "not in its folder"),
        ("/etc/passwd", "not a file in its folder"),
        ("C:\\one.safetensors", "not a file in its folder"),
        ("model.safetensors.index.json", "not a file in its folder"),
        ("", "not a file in its folder"),
        ("a\0b", "not in its folder"),
    ],
)
def test_shards_elsewhere(listed: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match=words):
        read_weights(shards(tmp_path, {"a": listed}))


def test_no_index(tmp_path: Path) -> None:
    index = tmp_path / "model.safetensors.index.json"
    index.write_text('{"weight_map": ["a"]}')
    with pytest.raises(Unreadable, match="is no index of weights"):
        read_weights(index)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="No such file"):
        read_weights(tmp_path / "none.pt")
    with pytest.raises(Unreadable, match="is a folder"):
        read_weights(tmp_path)
    for data, words in (
        (b"", "is empty"),
        (b"GGUF\3", "GGUF"),
        (b"hello", "neither"),
        (b"\x80\x04K\x01.", "plain pickle"),
    ):
        (tmp_path / "w").write_bytes(data)
        with pytest.raises(Unreadable, match=words):
            read_weights(tmp_path / "w")
