from __future__ import annotations

import ast

import pytest

from aoti_lint.source.text import read_source
from aoti_lint.text.problem import SourceProblem

BOM = b"\xef\xbb\xbf"

READABLE = [
    (b"", "utf-8"),
    (b"x = 1", "utf-8"),
    ("x = 'é日'\r\ny = 1\r".encode(), "utf-8"),
    (BOM + "# coding: utf-8\nx = 'é'\n".encode(), "utf-8"),
    (BOM + b"x = 1\n", "utf-8"),
    (b"# coding: latin-1\nx = '\xe9'\n", "iso8859-1"),
    (b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\nx = '\x80'\n", "cp1252"),
    (b"\r# -*- coding: koi8-r -*-\rx = '\xc1'\r", "koi8-r"),
    (b"\x0c \t\n#coding=euc_jp\nx = '\xc6\xfc'\n", "euc_jp"),
    (b"# coding: utf-8-sig\nx = 1\n", "utf-8"),
    ("x = 1\n# coding: latin-1\ny = 'é'\n".encode(), "utf-8"),
    ("\n\n# coding: latin-1\ny = 'é'\n".encode(), "utf-8"),
    ("x = '# coding: latin-1'\ny = 'é'\n".encode(), "utf-8"),
]


@pytest.mark.parametrize(("data", "encoding"), READABLE)
def test_as_python_reads(data: bytes, encoding: str) -> None:
    source = read_source(data, "a/b.py")
    assert source.encoding == encoding
    assert (source.path, source.kind, source.bom) == ("a/b.py", "python", data.startswith(BOM))
    assert ast.dump(ast.parse(source.text)) == ast.dump(ast.parse(data))
    assert source.write_back(source.text) == data


UNREADABLE = [
    (b"x = '\xff'\n", "not valid utf-8: byte 0xff in line 1"),
    (b"a\r\nb\rc\nx = '\xc3'", "not valid utf-8: byte 0xc3 in line 4"),
    (b"# coding: latin-1\n# coding: x\n\xe9\0", "line 3 holds a null character"),
    (b"# coding: nope\n", "unknown encoding, nope"),
    (b"# coding: rot13\n", "rot-13, which is not an encoding of text"),
    (b"# coding: hex\nzz", "hex, which is not an encoding of text"),
    (b"# coding: idna\n\xff", "names of hosts"),
    (b"# coding: undefined\n", "not valid undefined"),
    (BOM + b"# coding: latin-1\n", "byte order mark says UTF-8, the first lines say latin-1"),
    ("x = 1\n".encode("utf-16"), "UTF-16"),
    (b"x\0", "line 1 holds a null character"),
    (b"# coding: ascii\nx = '\x80'\n", "not valid ascii: byte 0x80 in line 2"),
]


@pytest.mark.parametrize(("data", "message"), UNREADABLE)
def test_what_python_does_not_read(data: bytes, message: str) -> None:
    with pytest.raises(SourceProblem) as raised:
        read_source(data, "a.py")
    assert message in str(raised.value)
    assert raised.value.path == "a.py"
    with pytest.raises((SyntaxError, ValueError)):
        compile(data, "a.py", "exec")


def test_text_the_encoding_lacks() -> None:
    source = read_source(b"# coding: latin-1\n", "a.py")
    with pytest.raises(SourceProblem, match="iso8859-1") as raised:
        source.write_back("# coding: latin-1\né = '日'")
    assert raised.value.offset == len("# coding: latin-1\né = '".encode())


@pytest.mark.parametrize(("data", "newline"), [(b"a\r\nb\n", "\r\n"), (b"a\rb", "\r"), (b"a\n\r", "\n"), (b"", "\n")])
def test_newline(data: bytes, newline: str) -> None:
    assert read_source(data, "a.py").newline == newline


def test_lines_and_cells() -> None:
    source = read_source(b"a\nb\n", "a.py")
    assert source.lines is source.lines
    assert source.lines.position(2) == (2, 1)
    assert source.cell(1) is None
