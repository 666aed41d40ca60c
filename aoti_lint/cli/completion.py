"""`aoti-lint completion`: what a shell needs to complete commands, options and their values.

Written by hand and not by shtab: that wants one parser with all commands below it, where ours are loaded one at a time,
and the command without a name has no place in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from aoti_lint.catalogue.registry import load
from aoti_lint.cli import contract, inspect, merge, probe, rerun, schema, tensors, triage, verify
from aoti_lint.cli import map as of_map
from aoti_lint.cli.check import arguments
from aoti_lint.cli.explain import explain
from aoti_lint.cli.shared.commands import COMMANDS
from aoti_lint.cli.shared.outputs import format_and_file
from aoti_lint.cli.shared.parser import Parser
from aoti_lint.quoting.shell import Shell, form, joined, word
from aoti_lint.report.check.formats import FORMATS
from aoti_lint.report.output import Output

if TYPE_CHECKING:
    from argparse import Action

_FIRST_IN_ZSH = Shell(
    "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }\nautoload -Uz bashcompinit && bashcompinit\n"
)
_RULES = ("select", "extend_select", "ignore")
_USE = """\
bash: put the output into ~/.local/share/bash-completion/completions/aoti-lint
zsh:  put it into a file, and `source` that in ~/.zshrc
fish: put it into ~/.config/fish/completions/aoti-lint.fish
"""


def run(words: list[str]) -> int:
    """Print a script for a shell."""
    shell = parser().parse_args(words).shell
    rules = [name for rule in load() for name in (rule.code, rule.name)]
    if shell == "fish":
        script = joined(_fish(rules), "\n")
    else:
        script = _bash(rules) if shell == "bash" else joined([_FIRST_IN_ZSH, _bash(rules)], "")
    with Output(None) as output:
        output.document(script)
    return 0


def parser() -> Parser:
    """The parser of this command."""
    made = Parser(
        prog="aoti-lint completion", description="Print a script that lets a shell complete aoti-lint.", epilog=_USE
    )  # fmt: skip
    made.add_argument("shell", choices=("bash", "zsh", "fish"))
    return made


def parsers() -> dict[str, Parser]:
    """The parser of every command."""
    made = {"check": arguments.parser(), "completion": parser(), "map": of_map.parser()}
    for module in (contract, explain, inspect, merge, probe, rerun, schema, tensors, triage, verify):
        made[module.__name__.rpartition(".")[2]] = module.parser()
    return {name: made[name] for name in COMMANDS}


def _values(action: Action, rules: Iterable[str]) -> list[str] | None:
    """What an argument may be; nothing where that is open, such as a file, None where it takes no value."""
    if action.nargs == 0:
        return None
    if action.type is format_and_file:
        return [*FORMATS]
    if action.choices is not None:
        return [str(choice) for choice in action.choices]
    return [*rules] if action.dest in _RULES else []


def _bash(rules: list[str]) -> Shell:
    after, options, positional = list[Shell](), list[Shell](), list[Shell]()
    for name, made in parsers().items():
        for action in made.options():
            values = _values(action, rules)
            if values is not None:
                cases = joined((word(f"{name} {option}") for option in action.option_strings), "|")
                many = Shell(" many=yes") if action.dest in _RULES else Shell("")
                after.append(form("    %s) offered=%s%s ;;", cases, _offered(values, rules), many))
        names = [option for action in made.options() for option in action.option_strings]
        options.append(form('        "%s -"*) offered=%s ;;', word(name), _list(names)))
        offered = _positional(name, made, rules)
        if offered:
            positional.append(form("            %s) offered=%s ;;", word(name), _offered(offered, rules)))
    commands = joined(map(word, COMMANDS), "|")
    parts = (joined(after, "\n"), joined(options, "\n"), joined(positional, "\n"))
    return form(
        """\
_aoti_lint() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=check offered= files= found
  local many= head=
  local rules=%s
  # What stands before and behind `=` are words of their own.
  if [[ $current == "=" ]]; then current=; elif [[ $before == "=" ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi
  if (( COMP_CWORD > 1 )); then
    case ${COMP_WORDS[1]} in
      %s) command=${COMP_WORDS[1]} ;;
    esac
  fi
  case "$command $before" in
%s
    *)
      case "$command $current" in
%s
        *)
          case $command in
%s
          esac
          if (( COMP_CWORD == 1 )); then offered=%s; files=yes; fi ;;
      esac ;;
  esac
  if [[ $many && $current == *,* ]]; then head=${current%%,*},; current=${current##*,}; fi
  COMPREPLY=()
  while IFS= read -r found; do COMPREPLY+=("$found"); done < <(
    compgen -P "$head" -W "$offered" -- "$current"
    if [[ $files ]]; then compgen -f -- "$current"; fi
  )
}
complete -o default -o filenames -F _aoti_lint aoti-lint
""",
        _list(rules), commands, *parts, _list(COMMANDS),
    )  # fmt: skip


def _offered(values: list[str], rules: list[str]) -> Shell:
    return Shell("$rules") if values == rules else _list(values)


def _fish(rules: list[str]) -> Iterator[Shell]:
    others = joined(map(word, (name for name in COMMANDS if name != "check")))
    for name, (_, what) in COMMANDS.items():
        yield form("complete -c aoti-lint -n __fish_use_subcommand -a %s -d %s", word(name), word(what))
    for name, made in parsers().items():
        seen = form("__fish_seen_subcommand_from %s", word(name))
        when = form('"not __fish_seen_subcommand_from %s"', others) if name == "check" else form('"%s"', seen)
        offered = _positional(name, made, rules)
        if offered:
            yield form("complete -c aoti-lint -n %s -f -a %s", when, _list(offered))
        for action in made.options():
            values = _values(action, rules)
            if values is None:
                takes = Shell("")
            elif action.dest in _RULES:
                takes = form(" -x -a %s", word(f'(__fish_complete_list , \'string split " " "{" ".join(values)}"\')'))
            else:
                takes = form(" -x -a %s", _list(values)) if values else Shell(" -r")
            names = joined(_fish_name(option) for option in action.option_strings)
            yield form("complete -c aoti-lint -n %s %s%s -d %s", when, names, takes, word(action.help or ""))


def _fish_name(option: str) -> Shell:
    name = word(option.lstrip("-"))
    return form("-l %s", name) if option.startswith("--") else form("-s %s", name)


def _positional(name: str, made: Parser, rules: list[str]) -> list[str]:
    """What may stand where no option does, beside files."""
    if name == "explain":
        return rules
    return [str(choice) for action in made.positionals() for choice in action.choices or ()]


def _list(words: Iterable[str]) -> Shell:
    return word(" ".join(words))
