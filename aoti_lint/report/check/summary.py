"""The last lines of a report: what was found, what was held back, what was looked at and what was not."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from aoti_lint.report.styled import Line

MOST_SKIPPED = 5
"""More skipped files than this are counted and not listed, but with `verbose`."""
MOST_FOLDERS = 3
"""The same for folders with versions of their own."""
MOST_NOTES = 4
"""The same for what was not followed to the end."""


def summary_lines(document: dict[str, Any], *, statistics: bool, verbose: bool = False) -> Iterator[Line]:
    """The summary of a document (see `json_v1`) as lines of styled segments; `verbose`: no list is cut."""
    summary = document["summary"]
    most_skipped = len(document["skipped"]) if verbose else MOST_SKIPPED
    most_notes = len(summary["notes"]) if verbose else MOST_NOTES
    if statistics:
        yield from statistics_lines(document)
    yield _found(document)
    held = _held_back(summary)
    if held:
        yield [("Not shown: " + "; ".join(held) + ".", "")]
    if summary["baseline_gone"]:
        gone = summary["baseline_gone"]
        is_are, it = ("is", "it") if gone == 1 else ("are", "them")
        yield [(f"{count(gone, 'finding')} of the baseline {is_are} gone: --write-baseline leaves {it} out.", "")]
    for sentence in _looked_at(document, len(document["torch"]["below"]) if verbose else MOST_FOLDERS):
        yield [(sentence, "")]
    skipped = document["skipped"]
    for item in skipped[:most_skipped]:
        yield [("Skipped ", ""), (item["filename"], "name"), (f": {item['reason']}.", "")]
    if len(skipped) > most_skipped:
        yield [(f"Skipped {len(skipped) - most_skipped} more; --verbose lists them.", "")]
    for note in summary["notes"][:most_notes]:
        yield [("Note: ", "name"), (note, "")]
    if len(summary["notes"]) > most_notes:
        yield [("Note: ", "name"), (f"{len(summary['notes']) - most_notes} more such notes; --verbose lists them", "")]
    if document["diagnostics"]:
        # The most severe, and the first of these: that is what a reader should look up.
        worst = min(document["diagnostics"], key=lambda item: ("error", "warning", "info").index(item["severity"]))
        code = worst["code"]
        yield [(f"More about a rule: aoti-lint explain {code}", "")]


def statistics_lines(document: dict[str, Any]) -> Iterator[Line]:
    """How often each rule was found."""
    names = {item["code"]: item["name"] for item in document["diagnostics"]}
    counts = document["summary"]["by_code"]
    for code in sorted(counts, key=lambda code: (-counts[code], code)):
        yield [(f"{counts[code]:>5}  ", "message"), (f"{code}  ", ""), (names[code], "name")]
    if counts:
        yield []


def _found(document: dict[str, Any]) -> Line:
    summary = document["summary"]
    parts = [
        count(summary[key], word)
        for key, word in (("errors", "error"), ("warnings", "warning"), ("infos", "piece of advice"))
        if summary[key]
    ]
    unread = len(document["errors"])
    if unread:
        parts.append(f"{count(unread, 'file')} that could not be read")
    if not parts:
        return [("No problems found." if summary["files"] else "Nothing was checked.", "message")]
    text = parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]
    return [(f"Found {text}.", "message")]


def _held_back(summary: dict[str, Any]) -> list[str]:
    held = []
    if summary["held_back"]:
        it = "it" if summary["held_back"] == 1 else "them"
        held.append(f"{count(summary['held_back'], 'possible finding')} (--pedantic shows {it})")
    if summary["suppressed"]:
        it = "it" if summary["suppressed"] == 1 else "them"
        held.append(f"{summary['suppressed']} suppressed by comments (--no-ignores shows {it})")
    if summary["baselined"]:
        it = "it" if summary["baselined"] == 1 else "them"
        held.append(f"{summary['baselined']} of the baseline (--no-baseline shows {it})")
    return held


def _looked_at(document: dict[str, Any], most_folders: int) -> Iterator[str]:
    summary = document["summary"]
    if not summary["files"]:
        yield "There was nothing to check: no Python file, notebook, C++ source, shell script or file of settings."
        return
    if not summary["analysed"]:
        # What could not be read was named above.
        read = summary["files"] - len(document["errors"])
        if read > 0:
            yield f"Looked through {count(read, 'file')}: there is nothing to export, compile or load."
        return
    text = f"Analysed {summary['analysed']} of {count(summary['files'], 'file')}"
    if summary["context"]:
        belong = "belongs" if summary["context"] == 1 else "belong"
        text += f", and read {summary['context']} more that {belong} to {'it' if summary['analysed'] == 1 else 'them'}"
    yield text + f", for torch {_judged_for(document['torch'])}."
    below = document["torch"]["below"]
    if below:
        named = [("this one" if one["folder"] == "." else one["folder"], one) for one in below[:most_folders]]
        folders = "; ".join(f"{name}: {_judged_for(one)}" for name, one in named)
        more = f"; and {count(len(below) - most_folders, 'more folder')}" if len(below) > most_folders else ""
        yield f"Folders that say otherwise: {folders}{more}."
    if summary["copies"]:
        word = "is a copy" if summary["copies"] == 1 else "are copies"
        said = ": a finding names them" if document["diagnostics"] else ""
        yield f"{summary['copies']} more {word} of these{said}."
    if summary["quiet"]:
        have = "has" if summary["quiet"] == 1 else "have"
        yield f"{count(summary['quiet'], 'file')} {have} nothing to export, compile or load."


def _judged_for(torch: dict[str, Any]) -> str:
    return f"{versions_text(torch['versions'])} ({torch['origin']})"


def count(number: int, word: str) -> str:
    """A number with its word in singular or plural."""
    if number == 1:
        return f"1 {word}"
    return f"{number} {'pieces of advice' if word == 'piece of advice' else word + 's'}"


def versions_text(minors: list[str]) -> str:
    """A list of minors for people: "2.8-2.15"."""
    from aoti_lint.torch_api.versions import VersionSet

    return dashes(str(VersionSet(minors)))


def dashes(text: str) -> str:
    """Text with ASCII dashes: reports that are not for a terminal must survive every encoding."""
    return text.replace("\N{EN DASH}", "-")
