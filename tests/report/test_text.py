"""The report for people, as a whole."""

from __future__ import annotations

import textwrap
from typing import Any

from aoti_lint.report.check.text import text_lines
from tests.report.documents import document, finding, line_of, place


def rendered(made: dict[str, Any], *, statistics: bool = False) -> str:
    lines = text_lines(made, line_of, width=100, statistics=statistics)
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)


def expected(text: str) -> str:
    return textwrap.dedent(text).strip("\n")


def test_a_finding_with_its_ends_in_two_files() -> None:
    assert rendered(document(finding())) == expected(
        """
        error[AOTI101]: the package was compiled for cuda and is loaded on cpu
         --> serve.py:3:9 (load-on-other-device)
          |
        3 | model = torch._inductor.aoti_load_package('m.pt2')
          |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ loaded on cpu here
          |
         ::: export.py:3:8
          |
        3 | path = torch._inductor.aoti_compile_and_package(program, package_path='m.pt2')
          |        -----------------------------------------------------------------------
          |        compiled for cuda here
          |
          = help: load it on the device it was compiled for
          = outcome: raises at load
          = note: a package keeps the device it was compiled for

        Found 1 error.
        Analysed 2 of 3 files, for torch 2.12-2.13 (--torch-version).
        1 file has nothing to export, compile or load.
        More about a rule: aoti-lint explain AOTI101
        """
    )


def test_both_ends_in_one_file_share_a_frame() -> None:
    item = finding(related=[{"message": "imported here", **place("serve.py", 1, 8, 13)}], notes=[], help="")
    assert rendered(document(item)).split("\n\nFound")[0] == expected(
        """
        error[AOTI101]: the package was compiled for cuda and is loaded on cpu
         --> serve.py:3:9 (load-on-other-device)
          |
        1 | import torch
          |        ----- imported here
        2 |
        3 | model = torch._inductor.aoti_load_package('m.pt2')
          |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ loaded on cpu here
          |
          = outcome: raises at load
        """
    )


def test_doubt_versions_and_fix_are_said() -> None:
    fix = {"message": "add device='cuda'", "applicability": "unsafe", "edits": []}
    item = finding(severity="warning", confidence="likely", versions=["2.8\N{EN DASH}2.10", "2.12"], fix=fix)
    text = rendered(document(item))
    assert text.startswith("warning[AOTI101]")
    assert "= outcome: raises at load (likely)" in text
    assert "= versions: torch 2.8-2.10, 2.12" in text
    assert "= fix (unsafe): add device='cuda'" in text


def test_a_fix_shows_the_lines_it_adds() -> None:
    edits = [{"content": "\n\n@op.register_fake\ndef _(x):\n\treturn x\n"}]
    fix = {"message": "add this fake", "applicability": "unsafe", "edits": edits}
    lines = rendered(document(finding(fix=fix))).splitlines()
    at = lines.index("  = fix (unsafe): add this fake")
    assert lines[at + 1 : at + 4] == ["  + @op.register_fake", "  + def _(x):", "  +     return x"]
    fix["edits"] = [{"content": "device='cuda'"}]
    assert "+ " not in rendered(document(finding(fix=fix)))


def test_the_summary_points_to_the_rule_of_the_first_error() -> None:
    made = document(finding(severity="warning", code="AOTI201"), finding(), finding(code="AOTI102"))
    assert rendered(made).endswith("\nMore about a rule: aoti-lint explain AOTI101")


def test_a_place_without_source_is_named_without_a_frame() -> None:
    item = finding(related=[{"message": "compiled for cuda here", **place("gone.py", 3, 8, 79)}])
    assert " ::: gone.py:3:8\n  | compiled for cuda here\n" in rendered(document(item))


def test_a_cell_of_a_notebook_is_named() -> None:
    assert " --> notes.ipynb:cell 4:2:5 (load-on-other-device)\n" in rendered(
        document(finding(**place("notes.ipynb", 2, 5, 13, cell=4)))
    )


def test_a_file_that_cannot_be_parsed() -> None:
    problem = {"filename": "serve.py", "message": "invalid syntax", "location": {"row": 4, "column": 5}, "cell": None}
    unread = {"filename": "raw.py", "message": "not valid utf-8", "location": None, "cell": None}
    assert rendered(document(errors=[problem, unread])) == expected(
        """
        error[AOTI002]: invalid syntax
         --> serve.py:4:5 (unreadable-file)
          |
        4 | y = model(x)
          |     ^
          |

        error[AOTI002]: raw.py: not valid utf-8

        Found 2 files that could not be read.
        Analysed 2 of 3 files, for torch 2.12-2.13 (--torch-version).
        1 file has nothing to export, compile or load.
        """
    )


def test_the_summary_says_what_was_not_shown_and_not_looked_at() -> None:
    skipped = [{"filename": f"big_{n}.py", "reason": "larger than 2 MB"} for n in range(7)]
    made = document(skipped=skipped, held_back=2, suppressed=1, context=4, notes=["main() was cut off"])
    assert rendered(made) == expected(
        """
        No problems found.
        Not shown: 2 possible findings (--pedantic shows them); 1 suppressed by comments (--no-ignores shows
          it).
        Analysed 2 of 3 files, and read 4 more that belong to them, for torch 2.12-2.13 (--torch-version).
        1 file has nothing to export, compile or load.
        Skipped big_0.py: larger than 2 MB.
        Skipped big_1.py: larger than 2 MB.
        Skipped big_2.py: larger than 2 MB.
        Skipped big_3.py: larger than 2 MB.
        Skipped big_4.py: larger than 2 MB.
        Skipped 2 more; --verbose lists them.
        Note: main() was cut off
        """
    )


def test_a_run_with_nothing_to_do() -> None:
    nothing = "Looked through 3 files: there is nothing to export, compile or load."
    assert nothing in rendered(document(analysed=0, quiet=3))
    problem = {"filename": "raw.py", "message": "not valid utf-8", "location": None, "cell": None}
    assert "Looked through 2 files: " in rendered(document(errors=[problem], analysed=0, quiet=2))
    assert rendered(document(errors=[problem], files=1, analysed=0, quiet=0)).endswith("could not be read.")
    text = rendered(document(files=0, analysed=0, quiet=0))
    assert "Nothing was checked.\nThere was nothing to check: no Python file, notebook, " in text
    assert "No problems found" not in text


def test_statistics_count_by_rule() -> None:
    other = finding(code="AOTI201", name="deprecated-aot-api", severity="warning")
    text = rendered(document(finding(), other, other), statistics=True)
    counts = ["    2  AOTI201  deprecated-aot-api", "    1  AOTI101  load-on-other-device", ""]
    assert text.splitlines()[-7:-4] == counts
