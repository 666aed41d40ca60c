"""argparse: every option is a symbol that agrees with itself, with its default and its values."""

from __future__ import annotations

import pytest

from aoti_lint.language.data.defaults import by_default
from aoti_lint.language.data.paths import path_key
from aoti_lint.values.values import FALSE, NONE, TRUE, Const, PathValue, Sym, Unknown
from tests.snippets import Ran, run

HEAD = "import argparse\nfrom pathlib import Path\nparser = argparse.ArgumentParser()\n"


def option(declaration: str, name: str, path: str = "script.py") -> Sym:
    value = run(f"{HEAD}parser.add_argument({declaration})\nmade = parser.parse_args().{name}\n", path).value("made")
    assert isinstance(value, Sym)
    return value


@pytest.mark.parametrize(
    ("declaration", "name", "default", "known"),
    [
        ("'--device', default='cuda'", "device", Const("cuda"), ()),
        (
            "'-d', '--dev-ice', default='cpu', choices=['cpu', 'cuda']",
            "dev_ice",
            Const("cpu"),
            (Const("cpu"), Const("cuda")),
        ),
        ("'--batch', type=int, default='8'", "batch", Const(8), ()),
        ("'--gpu', action='store_true'", "gpu", FALSE, (TRUE, FALSE)),
        ("'--no-gpu', dest='gpu', action='store_false'", "gpu", TRUE, (TRUE, FALSE)),
        ("'--gpu', action=argparse.BooleanOptionalAction, default=True", "gpu", TRUE, (TRUE, FALSE)),
        ("'model'", "model", None, ()),
        ("'model', nargs='?', default='m.pt2'", "model", Const("m.pt2"), ()),
        ("'--name'", "name", NONE, ()),
        ("'--name', required=True", "name", None, ()),
        ("'-n', type=int", "n", NONE, ()),
        ("'--sizes', nargs='+', type=int", "sizes", NONE, ()),
    ],
)
def test_an_option_has_its_default_and_values(
    declaration: str, name: str, default: Const | None, known: tuple[Const, ...]
) -> None:
    made = option(declaration, name)
    assert made.default == default
    assert made.known == known


def test_options_of_two_scripts_differ() -> None:
    declaration = "'--device', default='cuda'"
    assert option(declaration, "device", "compile.py") != option(declaration, "device", "serve.py")
    assert option(declaration, "device", "serve.py") == option(declaration, "device", "serve.py")


def test_a_path_option_is_a_path() -> None:
    ran = run(f"{HEAD}parser.add_argument('--out', type=Path, default=Path('out'))\n"
              f"parser.add_argument('file', type=Path)\n"
              "args = parser.parse_args()\nmade = args.file / 'm.pt2'\n")  # fmt: skip
    assert isinstance(ran.value("made"), PathValue)
    assert ran.key("made")[-1] == "m.pt2"
    other = run(
        f"{HEAD}parser.add_argument('--out', type=Path, default=Path('out'))\n"
        f"made = parser.parse_args().out / 'm.pt2'\n"
    )
    assert other.key("made")[-1] == "m.pt2"
    assert path_key(other.m, by_default(other.value("made"))) == ("out", "m.pt2")


def test_known_words_are_parsed() -> None:
    ran = run(f"{HEAD}parser.add_argument('--device', default='cuda')\na = parser.parse_args([]).device\n"
              "b = parser.parse_args(['--device', 'cpu']).device\n")  # fmt: skip
    assert ran.python("a") == "cuda"
    assert ran.python("b") == "cpu"


def test_set_defaults_groups_parents_and_known_args() -> None:
    ran = run(
        "import argparse\nbase = argparse.ArgumentParser(add_help=False)\nbase.add_argument('--seed', default=1)\n"
        "parser = argparse.ArgumentParser(parents=[base])\n"
        "group = parser.add_argument_group('g').add_mutually_exclusive_group()\n"
        "group.add_argument('--size', default=2)\nparser.set_defaults(size=3, mode='fast')\n"
        "args, rest = parser.parse_known_args()\nseed, size, mode = args.seed, args.size, args.mode\n"
        "all_of_them = vars(args)\n"
    )
    assert [getattr(ran.value(n), "default", None) for n in ("seed", "size")] == [Const(1), Const(3)]
    assert ran.python("mode") == "fast"
    assert set(ran.python("all_of_them")) == {"seed", "size", "mode"}  # type: ignore[call-overload]


def test_the_same_option_tested_twice_agrees() -> None:
    ran = run(
        f"{HEAD}parser.add_argument('--gpu', action='store_true')\nargs = parser.parse_args()\n"
        "a = b = 'cpu'\nif args.gpu:\n    a = 'cuda'\nif args.gpu:\n    b = 'cuda'\nsame = a == b\n"
    )
    assert ran.python("same") is True


COMMANDS = (
    f"{HEAD}sub = parser.add_subparsers(dest='command')\n"
    "one = sub.add_parser('compile')\none.add_argument('--device', default='cuda')\n"
    "two = sub.add_parser('serve')\ntwo.add_argument('--device', default='cpu')\n"
)


def defaults(ran: Ran, name: str) -> list[object]:
    return [a.default if isinstance(a, Sym) else a for a in ran.arms(name)]


def test_options_of_commands_belong_to_the_command() -> None:
    ran = run(
        f"{COMMANDS}args = parser.parse_args()\nd = 'none'\n"
        "if args.command == 'compile':\n    d = args.device\nelif args.command == 'serve':\n    d = args.device\n"
    )
    assert defaults(ran, "d") == [Const("cuda"), Const("cpu"), "none"]


def test_the_function_of_each_command_is_called_under_its_command() -> None:
    ran = run(
        "seen = []\ndef build(args):\n    global a\n    a = args.device\n"
        "def serve(args):\n    global b\n    b = args.device\n"
        f"{COMMANDS}a = b = None\none.set_defaults(func=build)\ntwo.set_defaults(func=serve)\n"
        "args = parser.parse_args()\nargs.func(args)\n"
    )
    assert defaults(ran, "a") == [Const("cuda"), None]
    assert defaults(ran, "b") == [None, Const("cpu")]


def test_options_added_in_a_branch_or_by_a_function_are_known() -> None:
    ran = run(
        f"{HEAD}import os\ndef more(p):\n    p.add_argument('--x', default=1)\nmore(parser)\n"
        "if os.environ.get('Y'):\n    parser.add_argument('--y', default=2)\n"
        "args = parser.parse_args()\nx, y = args.x, args.y\n"
    )
    assert [getattr(ran.value(n), "default", None) for n in ("x", "y")] == [Const(1), Const(2)]


def test_an_attribute_nobody_declared_is_unknown() -> None:
    assert isinstance(run(f"{HEAD}made = parser.parse_args().missing\n").value("made"), Unknown)


def test_a_default_that_depends_on_the_machine_keeps_both_values() -> None:
    made = run(
        f"{HEAD}import torch\nparser.add_argument('--device', default='cuda' if torch.cuda.is_available() else 'cpu')\n"
        "made = parser.parse_args().device\n"
    ).value("made")
    assert isinstance(made, Sym)
    assert "cuda" in repr(made.default)
    assert "cpu" in repr(made.default)


def test_error_leaves() -> None:
    ran = run(f"{HEAD}import os\nx = 1\nif os.environ.get('A'):\n    parser.error('no')\n    x = 2\n")
    assert ran.python("x") == 1
