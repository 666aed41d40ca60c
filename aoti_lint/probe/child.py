"""The child process: registers the operators and probes one for each request."""

from __future__ import annotations

import importlib
import logging
import os
import sys
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from aoti_lint.isolated.serving import Stage, says, serve


def main() -> int:
    """Serve until standard input ends."""
    return serve(_Worker, warm)


def warm() -> None:
    """Import what probing needs of torch: it takes seconds, and each worker would do it again."""
    importlib.import_module("aoti_lint.probe.found")


class _Worker:
    def __init__(self, request: Mapping[str, Any], stage: Stage) -> None:
        from aoti_lint.probe.found import Found

        # Torch logs each error of a fake, which is what this looks for.
        logging.disable(logging.CRITICAL)
        self._stage = stage
        self._found = Found(request, stage)

    def describe(self) -> dict[str, Any]:
        """What there is to probe."""
        import torch

        return {"torch": torch.__version__, "ops": self._found.ops, "errors": self._found.errors}

    def run(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """One operator, as `report.Probed`."""
        from aoti_lint.probe.gpu import DeviceLost

        name = request["op"]
        answer: dict[str, Any] = {"name": name, "status": "not probed"}
        try:
            return {**answer, **self._probed(name, request["kernels"], request["seconds"])}
        except DeviceLost as error:
            # Every later call on the GPU would fail with the same words: the next operator needs another process.
            print(error, file=sys.stderr, flush=True)
            os.abort()
        except Exception as error:
            return {**answer, "error": says(error)}

    def _probed(self, name: str, kernels: bool, seconds: float) -> dict[str, Any]:
        from aoti_lint.probe.made import search
        from aoti_lint.probe.operator import Examined, examine, overload

        op = overload(name if "." in name else f"{name}.default")
        given = self._found.examples.get(name, [])
        examples = list(given)
        tried = 0
        if not examples:
            looked = search(op, kernels=kernels, seconds=seconds, stage=self._stage)
            tried = looked.tried
            if looked.example is None:
                return {"schema": str(op._schema), "tried": tried, "error": looked.error}
            examples = [looked.example]
        whole = Examined()
        refused = ""
        taken = []
        for example in examples:
            one = examine(op, example, kernels=kernels, stage=self._stage)
            refused = refused or one.refused
            if one.refused:
                continue
            taken.append(example.words())
            whole.compared += one.compared
            whole.fake, whole.kernel = whole.fake or one.fake, one.kernel
            for finding in one.findings:
                whole.add(finding)
        return {
            "schema": str(op._schema),
            "status": "probed" if taken else "not probed",
            "error": "" if taken else refused,
            "inputs": taken,
            "given": bool(given) and not given[0].made,
            "tried": tried,
            "compared": whole.compared,
            "kernel": whole.kernel if not whole.compared else "",
            "fake": asdict(whole.fake) if whole.fake is not None else None,
            "findings": [asdict(finding) for finding in whole.findings],
        }
