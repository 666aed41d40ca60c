"""Writes `docs/settings.md` from the rows of `aoti_lint.torch_api.guide`.

    python scripts/make_settings_page.py

The same rows give the same bytes.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "settings.md"
sys.path.insert(0, str(ROOT))

from aoti_lint.torch_api.guide.lookup import rows  # noqa: E402
from aoti_lint.torch_api.guide.row import Kind, Row  # noqa: E402

HEAD = """\
<!-- Made by scripts/make_settings_page.py from aoti_lint/torch_api/guide/. Do not edit. -->

# Settings, names and files for debugging

What each name in PyTorch's debugging guides for Inductor and AOTInductor does, when it is read, and where guides
mislead. `aoti-lint explain NAME` prints the same for one name. Places such as `2.13.0 _inductor/config.py:233` are
lines below `torch/` of that release; "run on torch 2.13" means that it was tried.

Most settings are **read once**. A variable that is set too late changes nothing, and nothing says so:

- *import of torch*: set it in the shell, or in `os.environ` above the first `import torch`;
- *import of Inductor* or *of dynamo*: `import torch` alone does not import them (that of
  torch 2.5 does), but `torch.export.export(...)`,
  `torch.compile(...)`, any use of `torch._inductor` or `torch._dynamo`, and making an optimizer do;
- *first call*: set it before the loaded model is called for the first time, in the process that calls it.
"""


def anchor(row: Row) -> str:
    """The name of the row's heading in links."""
    return re.sub(r"[^\w-]+", "-", f"{row.kind.name} {row.name}".lower()).strip("-")


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for kind in Kind:
        parts.append("\n".join(_table(kind)))
    parts.append("## Notes")
    parts.extend("\n".join(_note(row)) for row in rows())
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _table(kind: Kind) -> Iterator[str]:
    yield f"## {kind.value[0].upper()}{kind.value[1:]}"
    yield ""
    yield "| name | what it does | read | matters for | torch |"
    yield "| --- | --- | --- | --- | --- |"
    for row in rows():
        if row.kind is kind:
            wrong = " **Guides mislead here.**" if row.corrections else ""
            moment = row.moment.value if row.moment else ""
            link = f"[{_code(row.name)}](#{anchor(row)})"
            yield _cells(link, row.does + wrong, moment, row.matters_for, row.there)


def _note(row: Row) -> Iterator[str]:
    yield f'<a id="{anchor(row)}"></a>'
    yield ""
    yield f"### {_code(row.name)}"
    yield ""
    yield f"{row.does} ({row.kind.one}; {row.there})"
    if row.moment is not None:
        yield ""
        yield f"Read {row.moment.value}. {row.moment.note}".rstrip()
    if row.output:
        yield ""
        yield f"Output: {row.output}"
    if row.values:
        yield ""
        yield "| value | meaning |"
        yield "| --- | --- |"
        yield from (_cells(_code(value) if value else "empty", meaning) for value, meaning in row.values.items())
    for correction in row.corrections:
        yield ""
        yield f"- **Guides say:** {correction.said}"
        yield f"  **So it is:** {correction.really}"
        yield f"  *Proof:* {correction.proof}."
    yield ""
    yield f"Known from: {row.source}"
    if row.see:
        yield ""
        names = {other.name: other for other in rows()}
        yield "See also: " + ", ".join(f"[{_code(name)}](#{anchor(names[name])})" for name in row.see)


def _code(text: str) -> str:
    return f"`{text}`"


def _cells(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def main() -> int:
    """Write the page."""
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
