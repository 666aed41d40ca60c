"""Documents for the tests of the reports."""

from __future__ import annotations

from typing import Any

from aoti_lint.report.document import empty_document, summarise

FILES = {
    "serve.py": "import torch\n\nmodel = torch._inductor.aoti_load_package('m.pt2')\ny = model(x)\n",
    "export.py": "import torch\n\npath = torch._inductor.aoti_compile_and_package(program, package_path='m.pt2')\n",
    "notes.ipynb": "cell one\ny = model(x)\n",
}


def line_of(filename: str, cell: int | None, row: int) -> str | None:
    """The rows of `FILES`."""
    rows = FILES.get(filename, "").split("\n")
    return rows[row - 1] if row <= len(rows) and filename in FILES else None


def place(filename: str, row: int, column: int, end_column: int, cell: int | None = None) -> dict[str, Any]:
    """A place on one row."""
    return {
        "filename": filename,
        "location": {"row": row, "column": column},
        "end_location": {"row": row, "column": end_column},
        "cell": cell,
    }


def finding(**changes: Any) -> dict[str, Any]:
    """A finding with both ends in two files."""
    return {
        "code": "AOTI101",
        "name": "load-on-other-device",
        "severity": "error",
        "confidence": "certain",
        "doubt": "",
        "outcome": "raises at load",
        "message": "the package was compiled for cuda and is loaded on cpu",
        **place("serve.py", 3, 9, 51),
        "inside": None,
        "label": "loaded on cpu here",
        "help": "load it on the device it was compiled for",
        "notes": ["a package keeps the device it was compiled for"],
        "versions": [],
        "symptom": "device-mismatch",
        "url": "https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html",
        "related": [{"message": "compiled for cuda here", **place("export.py", 3, 8, 79)}],
        "fix": None,
        "fingerprint": "0123456789abcdef",
        "noqa_row": 3,
        "copies": [],
        **changes,
    }


def document(*findings: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A document with these findings; `changes` go into its summary where it has the key, else into the top level."""
    made = empty_document()
    made["version"] = "0.1.0"
    made["torch"] = {"versions": ["2.12", "2.13"], "origin": "--torch-version", "below": []}
    made["diagnostics"] = list(findings)
    made["summary"].update(files=3, analysed=2, quiet=1)
    for key, value in changes.items():
        (made["summary"] if key in made["summary"] and key != "errors" else made)[key] = value
    summarise(made)
    return made
