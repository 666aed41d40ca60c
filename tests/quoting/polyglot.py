"""One text that every medium would obey, and what must hold of all that is printed."""

from __future__ import annotations

import ast
import re
import unicodedata

POLYGLOT = (
    "\nFORGED line\n::error file=x::forged\r\n  ::warning::y\x1b[31m\x1b]8;;http://e\x07link\x1b]8;;\x07\x9b2J\x00\x7f"
    "\u202e\u2066\u200b\u2028::error::z\u0085 ##[error]a ##vso[task.complete]b ##teamcity[c] \U000e0041\udcff"
    "'\"$(touch PWNED)`touch PWNED`;touch PWNED\n'''\"\"\"*/ ??/\\\n</script><img src=x onerror=alert(1)>&lt;"
    "[x](javascript:alert(1)) %s {folder\\"
)
NAME = POLYGLOT.replace("/", "").replace("\0", "")[:150]
"""The same as the name of a file."""
ARGUMENT = POLYGLOT.replace("\0", "")
"""The same as an argument of a process."""
COLOUR = re.compile(r"\x1b\[[\d;]*m")


def holds(printed: str, *, colours: bool = False) -> None:
    """Nothing that was printed steers a terminal, forges a line or is a command of a CI service."""
    if colours:
        printed = COLOUR.sub("", printed)
    for line in printed.split("\n"):
        wild = [char for char in line if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
        assert not wild, (wild, line)
        assert not re.match(r"\s*::(?!: )", line), line
        assert not re.search(r"##\w*\[", line), line
        assert not line.startswith("FORGED"), line


class _Poisoned(ast.NodeTransformer):
    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.Constant(node.value + POLYGLOT) if isinstance(node.value, str) and node.value else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.JoinedStr:
        return node


def poisoned(source: str) -> str:
    """A script with the polyglot at the end of every string."""
    return ast.unparse(ast.fix_missing_locations(_Poisoned().visit(ast.parse(source)))) + "\n"
