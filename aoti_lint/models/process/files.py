"""Files on the disk: whether they are there, copying, temporary folders, and what `open` gives."""

from __future__ import annotations

from collections.abc import Callable

from aoti_lint.ir import nodes
from aoti_lint.language.data.paths import FRESH, TEMPORARY, as_path, as_text, join_paths, path_key
from aoti_lint.language.data.texts import concat
from aoti_lint.language.effects import gone_folders, made_folders
from aoti_lint.language.flow.with_statements import context
from aoti_lint.language.tools import label_of, opaque, slot
from aoti_lint.language.truths import ask
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import attribute, function, method
from aoti_lint.values.call import Call
from aoti_lint.values.conditions import Cond
from aoti_lint.values.identity import ident
from aoti_lint.values.values import ABSENT, NONE, TRUE, Const, Many, Obj, Partial, PathValue, Ref, Tup, Unknown, Value

_WRITES = frozenset("wax+")
"""Letters of the modes in which `open` makes a file."""
TEXT_FILE = "io.TextIOBase"
"""The class of what is opened as text; that of a file of which this is not known is `io.IOBase`."""
KEPT = "#kept"
"""The slot of a temporary folder that may stay."""
_READS = ("readline", "readlines", "seek", "tell", "fileno", "getvalue", "getbuffer", "readable")
_CHANGES = ("write", "writelines", "flush", "close", "truncate")
"""Methods of what is open that read it, and that change it."""


def file_slot(m: Machine, file: Value) -> str:
    """The name of a file in the table `files`."""
    return "/".join(path_key(m, file))


# ---------------------------------------------------------------- is it there


def exists(m: Machine, file: Value, how: str) -> Value:
    """Whether there is such a file: surely where the script wrote it before, else one question each file."""
    made_folders.note_asked(m, file, how == "isdir")

    def apply(path: Value) -> Value:
        name = file_slot(m, path)
        question = ask(m, Cond(("exists", name), "unknown", f"{name} exists"))
        written = m.read("files", name) if how != "isdir" else None
        return question if written is None else lift(m, written, lambda w: question if w is ABSENT else TRUE)

    return lift(m, file, apply)


@function("os.path.exists", "os.path.isfile", "os.path.lexists")
def _exists(m: Machine, site: Call) -> Value:
    return exists(m, site.arg(0, "path") or NONE, "exists")


@function("os.path.isdir")
def _is_dir(m: Machine, site: Call) -> Value:
    return exists(m, site.arg(0, "s") or NONE, "isdir")


@method("Path", "exists", "is_file")
def _path_exists(m: Machine, site: Call, receiver: Value) -> Value:
    return exists(m, receiver, "exists")


@method("Path", "is_dir")
def _path_is_dir(m: Machine, site: Call, receiver: Value) -> Value:
    return exists(m, receiver, "isdir")


# ---------------------------------------------------------------- moving files about


def transfer(m: Machine, source: Value, target: Value, keep: bool) -> None:
    """What lies at `source` lies at `target` now; without `keep` no longer at `source`."""
    source, target = m.see(source), m.see(target)
    made_folders.note(m, target)  # it may be a whole folder
    before, after = file_slot(m, source), file_slot(m, target)
    found = m.read("files", before)
    m.writes(path_key(m, target)[-1])
    m.store.write("files", after, found if found is not None else Unknown(f"u{m.fresh()}", "a file that was copied"))
    if not keep and found is not None:
        m.store.write("files", before, ABSENT)


@function("shutil.copy", "shutil.copy2", "shutil.copyfile")
def _copy(m: Machine, site: Call) -> Value:
    target = site.arg(1, "dst") or NONE
    transfer(m, site.arg(0, "src") or NONE, target, keep=True)
    return target


@function("shutil.move", "os.rename", "os.replace")
def _move(m: Machine, site: Call) -> Value:
    target = site.arg(1, "dst") or NONE
    transfer(m, site.arg(0, "src") or NONE, target, keep=False)
    return target


@method("Path", "rename", "replace")
def _path_move(m: Machine, site: Call, receiver: Value) -> Value:
    target = site.arg(0, "target") or NONE
    transfer(m, receiver, target, keep=False)
    return as_path(m, target)


@function("os.remove", "os.unlink")
def _remove(m: Machine, site: Call) -> Value:
    m.store.write("files", file_slot(m, m.see(site.arg(0, "path") or NONE)), ABSENT)
    return NONE


@method("Path", "unlink")
def _unlink(m: Machine, site: Call, receiver: Value) -> Value:
    m.store.write("files", file_slot(m, receiver), ABSENT)
    return NONE


# ---------------------------------------------------------------- listing and reading


def _unknown_result(reason: str) -> Callable[[Machine, Call, Value], Value]:
    def model(m: Machine, site: Call, receiver: Value) -> Value:
        return Unknown(f"{ident(receiver)}{label_of(reason, site.args)}", f"what lies on the disk ({reason})")

    return model


for _name in ("stat", "owner", "lstat", "readlink"):
    method("Path", _name)(_unknown_result(_name))


@method("Path", "write_text", "write_bytes", "touch", "symlink_to", "hardlink_to")
def _writes(m: Machine, site: Call, receiver: Value) -> Value:
    m.writes(path_key(m, receiver)[-1])
    return _no_value(m, site, receiver)


@method("Path", "mkdir", "rmdir", "chmod")
def _no_value(m: Machine, site: Call, receiver: Value) -> Value:
    made_folders.note(m, receiver)
    return NONE


@method("Path", "glob", "rglob", "iterdir")
def _glob(m: Machine, site: Call, receiver: Value) -> Value:
    """Files of a folder: each an unknown name below it."""
    made = m.new("list")
    name = m.unknown(site.node, "the name of a file in a folder")
    m.store.write(made.ident, "#items", Many(PathValue(join_paths([receiver, name]))))
    return made


@function("glob.glob", "glob.iglob", "os.listdir", "os.scandir", "os.walk")
def _listing(m: Machine, site: Call) -> Value:
    return m.unknown(site.node, "the names of the files in a folder")


@function("os.makedirs", "os.mkdir")
def _make_folder(m: Machine, site: Call) -> Value:
    made_folders.note(m, site.arg(0, "name") or site.arg(None, "path") or NONE)
    return NONE


@function("os.chdir")
def _change_folder(m: Machine, site: Call) -> Value:
    made_folders.note_any(m)
    return NONE


@function("os.symlink")
def _symlink(m: Machine, site: Call) -> Value:
    made_folders.note(m, site.arg(1, "dst") or NONE)
    return NONE


@function("shutil.rmtree", "os.chmod")
def _effect(m: Machine, site: Call) -> Value:
    return NONE


@function("open", "io.open")
def _open(m: Machine, site: Call) -> Value:
    return opened(m, site.arg(0, "file") or NONE, site.arg(1, "mode"))


@function("argparse.FileType", "click.File")
def _file_type(m: Machine, site: Call) -> Value:
    """The type of an option that opens the file which is named."""
    return Partial(Ref("open"), (), (("mode", site.arg(0, "mode", Const("r")) or NONE),))


@method("Path", "open")
def _open_path(m: Machine, site: Call, receiver: Value) -> Value:
    return opened(m, receiver, site.arg(0, "mode"))


def opened(m: Machine, file: Value, mode: Value | None = None) -> Value:
    """An open file: reading or writing it is reading or writing what lies there."""
    made_folders.note_file(m, file)
    if isinstance(mode, Const) and not _WRITES.isdisjoint(str(mode.value)):
        m.writes(path_key(m, file)[-1])
    letters = "r" if mode is None else mode.value if isinstance(mode, Const) else None
    made = opaque(m, TEXT_FILE if isinstance(letters, str) and "b" not in letters else "io.IOBase")
    m.store.write(made.ident, "#file", file)
    return made


@method("io.IOBase", *_READS)
@method(TEXT_FILE, *_READS)
@method("io.BytesIO", "read", *_READS)
def _read(m: Machine, site: Call, receiver: Value) -> Value:
    return m.unknown(site.node, "what a file holds")


@method("io.IOBase", *_CHANGES)
@method(TEXT_FILE, *_CHANGES)
@method("io.BytesIO", *_CHANGES)
def _write(m: Machine, site: Call, receiver: Value) -> Value:
    return NONE


@attribute("io.IOBase", "name")
@attribute(TEXT_FILE, "name")
def _file_name(m: Machine, node: nodes.Node, value: Value) -> Value:
    found = m.read(value.ident, "#file") if isinstance(value, Obj) else None
    return as_text(m, found) if found is not None else m.unknown(node, "the name of a file")


@function("io.BytesIO")
def _buffer(m: Machine, site: Call) -> Value:
    return opaque(m, "io.BytesIO")


@function("io.StringIO")
def _text_buffer(m: Machine, site: Call) -> Value:
    return opaque(m, TEXT_FILE)


# ---------------------------------------------------------------- temporary files


def fresh_folder(m: Machine) -> Value:
    return Unknown(f"{FRESH}{m.fresh()}", "a new temporary folder")


@function("tempfile.mkdtemp", "tempfile.mktemp")
def _mkdtemp(m: Machine, site: Call) -> Value:
    return fresh_folder(m)


@function("tempfile.mkstemp")
def _mkstemp(m: Machine, site: Call) -> Value:
    return Tup((m.unknown(site.node, "a file descriptor"), fresh_folder(m)))


@function("tempfile.gettempdir")
def _temp_dir(m: Machine, site: Call) -> Value:
    return TEMPORARY


@function("tempfile.TemporaryDirectory")
def _temporary_directory(m: Machine, site: Call) -> Value:
    made = opaque(m, "tempfile.TemporaryDirectory")
    m.store.write(made.ident, "name", fresh_folder(m))
    if site.open or "delete" in site.kwargs:
        m.store.write(made.ident, KEPT, TRUE)
    return made


@method("tempfile.TemporaryDirectory", "cleanup")
def _cleanup(m: Machine, site: Call, receiver: Value) -> Value:
    if isinstance(receiver, Obj):
        gone_folders.remove(m, site.node, slot(m, receiver, "name"))
    return NONE


@context("tempfile.TemporaryDirectory")
def _in_temporary_directory(m: Machine, node: nodes.Node, manager: Obj, body: Callable[[Value], None]) -> None:
    body(slot(m, manager, "name"))
    if not m.read(manager.ident, KEPT):
        gone_folders.remove(m, node, slot(m, manager, "name"))


@function("tempfile.NamedTemporaryFile", "tempfile.TemporaryFile", "tempfile.SpooledTemporaryFile")
def _temporary_file(m: Machine, site: Call) -> Value:
    suffix = site.arg(None, "suffix", Const("")) or NONE
    name = fresh_folder(m)
    return opened(m, lift(m, suffix, lambda s: name if s == NONE else concat([name, s])))
