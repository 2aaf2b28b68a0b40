"""`plan completion bash|zsh|fish`: a script made from the commands' own declarations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from threatplan.arguments import common, word
from threatplan.commands import COMMANDS, DEFAULT, load
from threatplan.faults import DONE

if TYPE_CHECKING:
    import argparse

SHELLS = ("bash", "zsh", "fish")
_ENDING = ".threat"  # of the files that most commands read
DESCRIPTION = """Write a completion script.

  bash  eval "$(plan completion bash)"                                   in ~/.bashrc
  zsh   eval "$(plan completion zsh)"                                    in ~/.zshrc, after compinit
  fish  plan completion fish > ~/.config/fish/completions/plan.fish"""


@dataclass(frozen=True, slots=True)
class Option:
    """An option: its spellings, what it is for, and the words it takes (None: it takes no value)."""

    names: tuple[str, ...]
    help: str
    values: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Shape:
    """A command as completion sees it: its options, and the words that may stand alone (else files of an ending)."""

    name: str
    options: tuple[Option, ...]
    words: tuple[str, ...]
    ending: str


Writer = Callable[[Sequence[Shape]], Iterator[str]]


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("shell", type=word(*SHELLS), choices=SHELLS, metavar="{bash,zsh,fish}")
    common(parser)


def run(args: argparse.Namespace) -> int:
    """Write the script."""
    writers: dict[str, Writer] = {
        "bash": _bash,
        "zsh": _zsh,
        "fish": _fish,
    }
    for line in writers[args.shell]([_shape(name) for name in (DEFAULT, *COMMANDS)]):
        print(line)
    return DONE


def _shape(name: str) -> Shape:
    command, parser = load(name)
    options = tuple(_option(action) for action in parser.declared() if action.option_strings)
    standing = (action for action in parser.declared() if not action.option_strings)
    words = tuple(str(one) for action in standing for one in action.choices or ())
    return Shape(name, options, words, getattr(command, "ENDING", _ENDING))


def _option(action: argparse.Action) -> Option:
    takes_value = action.nargs != 0
    values = tuple(str(value) for value in action.choices or ()) if takes_value else None
    text = (action.help or "").partition(" (default")[0].replace("%%", "%")
    return Option(tuple(action.option_strings), text, values)


_BASH = """_plan() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=plan options standing ending
    local commands="@commands"
    if ((COMP_CWORD > 1)) && [[ " $commands " == *" ${COMP_WORDS[1]} "* ]]; then
        command=${COMP_WORDS[1]}
    fi
    case $command/$prev in
@values
    esac
    case $command in
@words
    esac
    if [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$cur"))
    elif [[ -n $standing ]]; then
        COMPREPLY=($(compgen -W "$standing" -- "$cur"))
    else
        local IFS=$'\\n'
        COMPREPLY=($(compgen -f -X "!*$ending" -- "$cur") $(compgen -d -S / -- "$cur"))
        ((COMP_CWORD == 1)) && COMPREPLY+=($(IFS=' ' compgen -W "$commands" -- "$cur"))
        [[ ${COMPREPLY[0]-} == */ ]] && compopt -o nospace 2>/dev/null
    fi
}
complete -F _plan plan"""


def _bash(shapes: Sequence[Shape]) -> Iterator[str]:
    values = [
        f'        {shape.name}/{name}) COMPREPLY=($(compgen -W "{" ".join(option.values)}" -- "$cur")); return ;;'
        for shape in shapes
        for option in shape.options
        for name in option.names
        if option.values
    ]
    words = [
        f'        {one.name}) options="{_flags(one)}" standing="{" ".join(one.words)}" ending={one.ending} ;;'
        for one in shapes
    ]
    script = _BASH.replace("@commands", " ".join(COMMANDS))
    yield script.replace("@values", "\n".join(values)).replace("@words", "\n".join(words))


def _flags(shape: Shape) -> str:
    return " ".join(name for option in shape.options for name in option.names)


def _zsh(shapes: Sequence[Shape]) -> Iterator[str]:
    yield "#compdef plan"
    yield "_plan() {"
    yield "    local -a commands=("
    for name, summary in COMMANDS.items():
        yield f"        {_quoted(f'{name}:{summary}')}"
    yield "    )"
    yield "    local command=plan"
    yield "    if ((CURRENT > 2)) && [[ -n ${(M)commands:#${words[2]}:*} ]]; then"
    yield "        command=${words[2]}; words=(${words[1]} ${words[3,-1]}); ((CURRENT--))"
    yield "    elif ((CURRENT == 2)) && [[ ${words[2]} != -* ]]; then"
    yield "        _describe command commands"
    yield "    fi"
    yield "    case $command in"
    for shape in shapes:
        yield f"        {shape.name}) _arguments \\"
        for option in shape.options:
            for name in option.names:
                yield f"            {_quoted(_zsh_option(name, option))} \\"
        words, files = f"*:word:({' '.join(shape.words)})", f'*:file:_files -g "*{shape.ending}(-.)"'
        yield f"            {_quoted(words if shape.words else files)} ;;"
    yield "    esac"
    yield "}"
    yield "compdef _plan plan"


def _zsh_option(name: str, option: Option) -> str:
    text = option.help.replace("[", "(").replace("]", ")").replace(":", " ")
    value = "" if option.values is None else f":value:({' '.join(option.values)})" if option.values else ":value:"
    return f"*{name}[{text}]{value}"


def _fish(shapes: Sequence[Shape]) -> Iterator[str]:
    yield "complete -c plan -f"
    yield f"set -l commands {' '.join(COMMANDS)}"
    for name, summary in COMMANDS.items():
        yield f"complete -c plan -n 'test (count (commandline -opc)) -eq 1' -a {name} -d {_quoted(summary)}"
    for shape in shapes:
        seen = "not __fish_seen_subcommand_from $commands" if shape.name == DEFAULT else ""
        condition = _double_quoted(seen or f"__fish_seen_subcommand_from {shape.name}")
        standing = _quoted(" ".join(shape.words) or f"(__fish_complete_suffix {shape.ending})")
        yield f"complete -c plan -n {condition} -a {standing}"
        for option in shape.options:
            yield f"complete -c plan -n {condition} {_fish_option(option)}"


def _fish_option(option: Option) -> str:
    parts = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names]
    if option.values is not None:
        parts.append(f"-x -a {_quoted(' '.join(option.values))}" if option.values else "-r")
    return " ".join([*parts, "-d", _quoted(option.help)])


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _double_quoted(text: str) -> str:
    return f'"{text}"'
