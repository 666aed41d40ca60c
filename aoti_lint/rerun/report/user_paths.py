"""What torch and the tools said, with the paths that the user knows."""

from __future__ import annotations

from functools import partial
from typing import Any

from aoti_lint.rerun.read.events import texts
from aoti_lint.rerun.result import Culprit, Result, Tried
from aoti_lint.rerun.run.folder import as_asked, uncopied


def as_the_user_says(result: Result) -> Result:
    """The result whose sentences name the user's packages, and not those that stood in for them.

    Commands are left as they were run, but for where the copy of the user's folder was.
    """
    result = Result.model_validate(texts(result.model_dump(by_alias=True), partial(uncopied, result.folder)))

    def said(text: str) -> str:
        return as_asked(result.folder, text)

    def culprit(one: Culprit) -> Culprit:
        return one.model_copy(update={"name": said(one.name), "what": said(one.what), "fix": said(one.fix)})

    def tried(one: Tried) -> Tried:
        return one.model_copy(update={"shows": tuple(map(said, one.shows))})

    def cause(one: dict[str, Any]) -> dict[str, Any]:
        return {name: said(value) if isinstance(value, str) else value for name, value in one.items()}

    return result.model_copy(
        update={
            "culprits": tuple(map(culprit, result.culprits)),
            "causes": tuple(map(cause, result.causes)),
            "tried": tuple(map(tried, result.tried)),
            "notes": tuple(map(said, result.notes)),
        }
    )
