"""Which variable of torch a misspelt name means, and whether the project has a use of its own for a name."""

from __future__ import annotations

import re

from aoti_lint.rule import METER, Facts
from aoti_lint.rule.project import Project
from aoti_lint.rule.torch import settings

from ..package._imports import may_meet

OWNED = ("TORCHINDUCTOR_", "TORCHDYNAMO_", "AOT_INDUCTOR_", "AOTINDUCTOR_")
"""Beginnings of names that only torch and what stands in for it use."""
SHARED = ("AOTI_", "TORCH_LOG", "TORCH_COMPILE_", "TORCH_TRACE", "TORCH_SHOW_CPP", "DUMP_AOTI", "INDUCTOR_",
          "TORCH_INDUCTOR_", "TORCH_DYNAMO_", "TORCH_AOTI_", "PYTORCH_INDUCTOR_")  # fmt: skip
"""Beginnings that others use as well: a name is suspicious if it is nearly one of torch's."""
_PREFIX = re.compile(r"(?:(?:PY)?TORCH_?)?(?:AOT_?INDUCTOR_|AOTI_|INDUCTOR_|DYNAMO_)")
"""What is confused at the beginning of a name."""
_COMMENT = re.compile(rb"(?m)#(?!\s*(?:if|ifdef|ifndef|elif|define)\b).*$|//.*$")


def suspicious(name: str) -> bool:
    """Whether the name looks like a variable of torch."""
    return name.startswith((*OWNED, *SHARED))


_MEANT = {"TORCHINDUCTOR_DEBUG": "TORCH_COMPILE_DEBUG"}
"""Names that never were, with what does that they say."""


def meant(name: str) -> str | None:
    """The variable of torch that a misspelt name means: a letter or two differ, underscores, case, or a word."""
    if name in _MEANT:
        return _MEANT[name]
    near = [known for known in settings.near_variables(name) if _is_near(name, known)]
    every = settings.variable_names()
    near += [known for known in every if _has_another_prefix(name, known)]
    near += [known for known in every if _lacks_a_word(name, known) or _lacks_a_word(known, name)]
    exact = [known for known in near if _plain(known) == _plain(name)]
    return next(iter((*exact, *sorted(near, key=lambda known: (distance(name, known), known)))), None)


def is_slip(name: str, known: str) -> bool:
    """Whether the difference is one that fingers make. A single word behind a beginning that others use is theirs."""
    alone = any(name.startswith(start) and "_" not in name[len(start) :] for start in SHARED if start.endswith("_"))
    return _is_near(name, known) or _has_another_prefix(name, known) or (not alone and _lacks_a_word(name, known))


def _plain(name: str) -> str:
    return name.replace("_", "").upper()


def _is_near(name: str, known: str) -> bool:
    return _plain(name) == _plain(known) or distance(name, known) <= 2


def _has_another_prefix(name: str, known: str) -> bool:
    """Whether the two differ in how they say whose they are: `AOTI_…` and `AOT_INDUCTOR_…`."""
    mine, right = _PREFIX.match(name), _PREFIX.match(known)
    return mine is not None and right is not None and name[mine.end() :] == known[right.end() :]


def _lacks_a_word(name: str, known: str) -> bool:
    """Whether `name` is `known` without one of its words."""
    words, wanted = name.split("_"), known.split("_")
    if len(words) < 2 or len(wanted) != len(words) + 1 or wanted[0] != words[0]:
        return False
    return any(wanted[:i] + wanted[i + 1 :] == words for i in range(len(wanted)))


def distance(one: str, two: str) -> int:
    """How many letters have to be changed, added, taken away or swapped with their neighbour."""
    if abs(len(one) - len(two)) > 2:
        return max(len(one), len(two))
    rows = [list(range(len(two) + 1))]
    for i, a in enumerate(one, 1):
        row = [i]
        for j, b in enumerate(two, 1):
            least = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (a != b))
            if i > 1 and j > 1 and a == two[j - 2] and one[i - 2] == b:
                least = min(least, rows[-2][j - 2] + 1)
            row.append(least)
        rows.append(row)
    return rows[-1][-1]


def is_used(project: Project, name: str) -> bool:
    """Whether a file of the project, in any language, does something else with the name than to set it, or may."""
    use, setting = (re.compile(_bytes(one)) for one in (_use(name), _setting(name)))
    found = project.mentions(name)
    texts = (_code(project, path) for path in found.files)
    return not found.complete or any(use.search(setting.sub(b"", text)) for text in texts)


def is_read_beside(facts: Facts, name: str, path: str) -> bool:
    """Whether other Python that may run beside the file `path` does something else with the name than to set it."""
    project = facts.project
    use, setting = (re.compile(_bytes(one)) for one in (rf"[\"']{re.escape(name)}[\"']", _setting(name)))
    files = (one for one in project.mentions(name).files if one != path and one.endswith((".py", ".ipynb")))
    return any(use.search(setting.sub(b"", _code(project, one))) and may_meet(facts, one, path) for one in files)


def _code(project: Project, path: str) -> bytes:
    """A file without its comments. What is asked for each name of a large file adds up."""
    data = project.data(path) or b""
    METER.spend(len(data) // 50)
    return _COMMENT.sub(b"", data)


def _bytes(pattern: str) -> bytes:
    """A pattern for the bytes of files; a string of a script may hold lone surrogates."""
    return pattern.encode("utf-8", "surrogatepass")


def _use(name: str) -> str:
    return rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])"


def _setting(name: str) -> str:
    """A place that gives the variable a value: `environ["X"] = `, `setdefault("X", `, `X=1`, `"X": "1"`, `ENV X 1`."""
    quoted = rf"[\"']{re.escape(name)}[\"']"
    return (
        rf"environ\[\s*{quoted}\s*\]\s*=(?!=)|(?:setdefault|putenv|setenv|pop|delenv|unsetenv)\(\s*{quoted}"
        rf"|{quoted}\s*:|(?<![A-Za-z0-9_]){re.escape(name)}\s*[=:](?!=)|ENV\s+{re.escape(name)}\s"
        rf"|unset\s+{re.escape(name)}"
    )
