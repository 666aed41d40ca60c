"""click, typer, fire, tyro: what a command line runs gets a symbol for each option."""

from __future__ import annotations

import pytest

from aoti_lint.values.values import FALSE, NONE, TRUE, Const, PathValue, Sym, Unknown, Value
from tests.snippets import Ran, run

SEEN = "seen = None\n"
BODY = "    global seen\n    seen = "


def seen(text: str, name: str = "seen") -> Sym:
    value = run(SEEN + text).value(name)
    assert isinstance(value, Sym), value
    return value


@pytest.mark.parametrize(
    ("declaration", "name", "default", "known"),
    [
        ("option('--device', default='cuda')", "device", Const("cuda"), ()),
        ("option('-d', '--dev-ice', type=click.Choice(['a', 'b']), default='a')", "dev_ice", Const("a"), ("a", "b")),
        ("option('--out', 'target', default='m.pt2')", "target", Const("m.pt2"), ()),
        ("option('--batch', type=int, default=8)", "batch", Const(8), ()),
        ("option('--gpu', is_flag=True)", "gpu", FALSE, (True, False)),
        ("option('--gpu/--cpu', default=True)", "gpu", TRUE, (True, False)),
        ("option('--name', required=True)", "name", None, ()),
        ("option('--name')", "name", NONE, ()),
        ("argument('path')", "path", None, ()),
    ],
)
def test_a_click_option_is_a_symbol(
    declaration: str, name: str, default: Value | None, known: tuple[object, ...]
) -> None:
    made = seen(f"import click\n@click.command()\n@click.{declaration}\ndef main({name}):\n{BODY}{name}\nmain()\n")
    assert made.default == default
    assert tuple(k.value for k in made.known if isinstance(k, Const)) == known


def test_several_click_options_reach_their_parameters() -> None:
    text = (
        "import click\nfrom pathlib import Path\n@click.command()\n@click.option('--a', default=1)\n"
        "@click.option('--b', default='x', type=click.Path(path_type=Path))\n@click.pass_context\n"
        "def main(ctx, a, b):\n    global seen, other\n    seen, other = a, b\n"
        "if __name__ == '__main__':\n    main()\n"
    )
    ran = run(SEEN + text)
    assert getattr(ran.value("seen"), "default", None) == Const(1)
    assert isinstance(ran.value("other"), PathValue)


GROUP = (
    "import click\na = b = None\n@click.group()\ndef cli():\n    pass\n"
    "@cli.command()\n@click.option('--device', default='cuda')\ndef build(device):\n    global a\n    a = device\n"
    "@click.command('serve')\n@click.option('--device', default='cpu')\n"
    "def run_it(device):\n    global b\n    b = device\n"
    "cli.add_command(run_it)\ncli()\n"
)


def defaults(ran: Ran, name: str) -> list[object]:
    return [a.default if isinstance(a, Sym) else a for a in ran.arms(name)]


def test_a_group_runs_one_of_its_commands() -> None:
    ran = run(GROUP)
    assert defaults(ran, "a") == [Const("cuda"), None]
    assert defaults(ran, "b") == [None, Const("cpu")]


@pytest.mark.parametrize(
    "text",
    [
        "import typer\ndef main(device: str = typer.Option('cuda', '--device')):\n{}device\ntyper.run(main)\n",
        "import typer\napp = typer.Typer()\n@app.command()\ndef main(device: str = 'cuda'):\n{}device\napp()\n",
        "import typer\nfrom typing import Annotated\napp = typer.Typer()\n@app.command()\n"
        "def main(device: Annotated[str, typer.Option()] = 'cuda'):\n{}device\napp()\n",
        "import fire\ndef main(device='cuda'):\n{}device\nfire.Fire(main)\n",
        "import tyro\ndef main(device: str = 'cuda'):\n{}device\ntyro.cli(main)\n",
        "import tyro\nfrom dataclasses import dataclass\n@dataclass\nclass Args:\n    device: str = 'cuda'\n"
        "args = tyro.cli(Args)\nseen = args.device\n",
        "import simple_parsing\nfrom dataclasses import dataclass\n@dataclass\nclass Args:\n    device: str = 'cuda'\n"
        "seen = simple_parsing.parse(Args).device\n",
        "import tyro\nclass Args:\n    def __init__(self, device='cuda'):\n"
        "        self.device = device\nseen = tyro.cli(Args).device\n",
    ],
)
def test_a_signature_is_a_command_line(text: str) -> None:
    assert seen(text.replace("{}", BODY)).default == Const("cuda")


def test_typer_types_and_required_arguments() -> None:
    ran = run(
        "import typer\nfrom pathlib import Path\na = b = c = None\n"
        "def main(file: Path, gpu: bool = False, name: str = typer.Option(...)):\n"
        "    global a, b, c\n    a, b, c = file, gpu, name\n"
        "typer.run(main)\n"
    )
    assert isinstance(ran.value("a"), PathValue)
    flag, name = ran.value("b"), ran.value("c")
    assert isinstance(flag, Sym)
    assert flag.known == (TRUE, FALSE)
    assert isinstance(name, Sym)
    assert name.default is None


def test_commands_of_a_typer_application_exclude_each_other() -> None:
    ran = run(
        "import typer\napp = typer.Typer()\na = b = None\n"
        "@app.command()\ndef one():\n    global a\n    a = 1\n@app.command()\ndef two():\n    global b\n    b = 2\n"
        "app()\nboth = a == 1 and b == 2\nneither = a is None and b is None\n"
    )
    assert ran.python("both") is False
    assert ran.python("neither") is False


def test_fire_with_a_dict_of_functions() -> None:
    ran = run(
        "import fire\na = None\ndef one(x=1):\n    global a\n    a = x\ndef two():\n"
        "    pass\nfire.Fire({'one': one, 'two': two})\n"
    )
    assert defaults(ran, "a") == [Const(1), None]


def test_a_typer_function_called_by_other_code_takes_what_it_is_given() -> None:
    ran = run(
        "import typer\napp = typer.Typer()\n@app.command()\n"
        "def main(x: int = typer.Option(1)):\n    return x\nmade = main(5)\n"
    )
    assert ran.python("made") == 5


def test_a_configuration_from_files_is_unknown() -> None:
    ran = run(
        "import hydra\nx = None\n@hydra.main(config_path='conf')\ndef main(cfg):\n"
        "    global x\n    x = cfg.device\nmain()\n"
    )
    assert isinstance(ran.value("x"), Unknown)


@pytest.mark.parametrize("base", ["Enum", "str, Enum", "StrEnum"])
@pytest.mark.parametrize("question", ["f == F.a", "f is F.a", "f in (F.a,)", "f != F.b", "not f == F.b"])
def test_an_option_of_an_enum_may_be_any_of_its_members(base: str, question: str) -> None:
    value = run(
        f"import typer\nfrom enum import Enum, StrEnum\nclass F({base}):\n    a = 'x'\n    b = 'y'\n{SEEN}"
        f"def main(f: F = F.a):\n{BODY}{question}\ntyper.run(main)\n"
    ).value("seen")
    assert value not in (TRUE, FALSE)
