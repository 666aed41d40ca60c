"""Calls of a program by way of loops, loaders, threads and objects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.random_scripts.uses import Uses


@dataclass
class MoreUses:
    """Writes them; each is at least one call."""

    uses: Uses

    def lines(self) -> list[str]:
        uses, draw = self.uses, self.uses.draw
        sizes = uses.sizes()
        given, other = uses.given(sizes), uses.given(uses.sizes())
        example = uses.given(uses.model.signature.sizes, 1)
        named = any(one.given == "name" for one in uses.model.signature.parameters)
        ways = [
            ["class Runner:", "    def __init__(self, program):", "        self.module = program.module()", "",
                "    def __call__(self, *args, **kwargs):", "        with torch.no_grad():",
                "            return self.module(*args, **kwargs)", "", "runner = Runner(ep)", f"runner({given})",
                f"runner({other})"],
            ["from concurrent.futures import ThreadPoolExecutor", "served = ep.module()",
                "with ThreadPoolExecutor(1) as pool:", f"    done = pool.submit(lambda: served({given})).result()"],
            ["call = functools.partial(ep.module())", f"call({given})"],
            ["programs = {'first': ep, 'again': ep}", "for key, program in programs.items():",
                f"    program.module()({given})"],
            ["def decorated(function):", "    @functools.wraps(function)", "    def inner(*args, **kwargs):",
                "        return function(*args, **kwargs)", "    return inner", "", "@decorated",
                "def infer(*args, **kwargs):", "    return ep.module()(*args, **kwargs)", "", f"infer({given})"],
            ["results = []", "module_ = ep.module()", "count = 0", "while count < 2:",
                f"    results.append(module_({given}))", "    count += 1"],
            [f"outs = [ep.module()({given}) for _ in range(2)]"],
            ["m = ep.module()", "try:", f"    m({other})", "finally:", "    print('done')"],
            ["if ep is not None:", f"    ep.module()({given})", "else:", "    raise SystemExit(1)"],
            ["timings = {}", "for name in ('a', 'b'):", f"    timings[name] = ep.module()({given})"],
            ["static = torch.export.export(model, " + uses.example_arguments() + ")", f"static.module()({example})",
                f"ep.module()({other})"],
            ["pick = {True: ep.module(), False: None}", f"pick[True]({given})"],
            ["(lambda program: program.module()(" + given + "))(ep)"],
        ]  # fmt: skip
        if not named:
            ways += [
                [f"inputs_now = ({given},)", "ep.module()(*inputs_now)"],
                [f"queue = [({given},), ({other},)]", "while queue:", "    ep.module()(*queue.pop())"],
                [f"for batch in [({given},), ({other},)]:", "    out = ep.module()(*batch)"],
                ["def batches():", f"    yield ({given},)", f"    yield ({other},)", "", "for batch in batches():",
                    "    ep.module()(*batch)"],
                [f"several = list(map(lambda args: ep.module()(*args), [({given},), ({other},)]))"],
                [f"first, *others = ({given},)", "ep.module()(first, *others)"],
                [f"cases = {{'small': ({given},), 'large': ({other},)}}", "for name, case in cases.items():",
                    "    print(name, type(ep.module()(*case)))"],
                [f"args_now = [{given}]", "args_now = [*args_now]", "ep.module()(*args_now)"],
                [f"for i, args_now in enumerate(zip(*[[one] * 2 for one in ({given},)])):",
                    "    ep.module()(*args_now)"],
                ["def run_all(program, *cases):", "    module = program.module()",
                    "    return [module(*case) for case in cases]", "",
                    f"run_all(ep, ({given},), ({other},))"],
            ]  # fmt: skip
        return draw.one(ways)
