"""The options of requests as options of verbs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from formats.binary import FormatError
from mapexplorer.cli.arguments import Value
from mapexplorer.option import Declared, OptionError, Options
from mapexplorer.scene.view import ENTERED, NEW
from mapexplorer.system.terminal import echo
from mapexplorer.values import Flag, Indices, Integer


def request_options(*classes: type[Options], without: tuple[str, ...] = ()) -> Callable[[Any], Any]:
    """A decorator that gives a verb the options of dataclasses, each name once, but for those of `without`; the verb
    receives them as keywords, see `taken`."""
    options = declared(*classes)

    def decorate(command: Any) -> Any:
        for name in reversed(options):
            if name not in without:
                command = _option(options[name])(command)
        return command

    return decorate


def declared(*classes: type[Options]) -> dict[str, list[Declared]]:
    """The options of dataclasses by name; what several of their groups declare comes several times."""
    by_name: dict[str, list[Declared]] = {}
    for option in (option for options in classes for option in options.declared()):
        same = by_name.setdefault(option.name, [])
        if option.group not in [other.group for other in same]:
            same.append(option)
    return by_name


def taken(values: dict[str, Any], *classes: type[Options]) -> dict[str, Any]:
    """The values of options by name, out of those that a verb received (which lose them)."""
    result = {}
    for name, same in declared(*classes).items():
        if name in values:
            value = values.pop(name)
            if len(same) == 1:
                result[name] = not value if same[0].inverted else value
            elif value is not None:
                result[name] = value
    return result


@contextmanager
def misuse(*classes: type[Options]) -> Iterator[None]:
    """Options of these classes that do not go together end the verb with status 2."""
    spellings = {name: same[0].spellings[0] for name, same in declared(*classes).items()}
    try:
        yield
    except OptionError as error:
        raise click.UsageError(error.said(lambda name: spellings.get(name, f"--{name}"))) from None


@contextmanager
def parsed() -> Iterator[None]:
    """A text that a user gave and a parser refuses ends the verb with status 2; a damaged file does not."""
    try:
        yield
    except FormatError:
        raise
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _option(same: list[Declared]) -> Callable[[Any], Any]:
    first = same[0]
    option, kind = first.option, first.option.kind
    help = f"{first.about}: {option.help}" if first.about else option.help
    if isinstance(kind, Flag):
        return click.option(*first.spellings, first.name, is_flag=True, help=help)
    more: dict[str, Any] = {"type": Value(kind), "metavar": kind.name}
    if len(same) > 1:
        defaults = " or ".join(f"{kind.text(other.default)} ({other.about})" for other in same)
        help = f"{option.help.rstrip('.')}; by default {defaults}."
    elif isinstance(kind, Indices):
        more |= {"type": Value(Integer()), "nargs": len(kind.names), "callback": _checked(kind)}
        more |= {"default": first.default, "show_default": True}
    elif first.default is not None:
        more |= {"default": kind.text(first.default), "show_default": True}
    if first.name == "save":
        more["callback"] = _moment_of_save
    return click.option(*first.spellings, first.name, help=help, **more)


def _moment_of_save(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """Read a saved game, say what there is to say about it, and give hour, day and weekday the moment of the save as
    defaults, which click takes afterwards for options that are not given."""
    if value not in (NEW, ENTERED) and not ctx.resilient_parsing:
        from mapexplorer.scene.saves import saved_moment
        from mapexplorer.world.saved_game import read_saved_game

        echo(*map(str, read_saved_game(value).notes), err=True)
        ctx.default_map = {**(ctx.default_map or {}), **saved_moment(value)}
    return value


def _checked(kind: Indices) -> Callable[[click.Context, click.Parameter, Any], Any]:
    def check(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
        try:
            kind.check(value)
        except ValueError as error:
            raise click.BadParameter(str(error)) from None
        return value

    return check


def one_option(options: type[Options], name: str) -> Callable[[Any], Any]:
    """The option of a dataclass for a verb that takes it alone."""
    return _option(declared(options)[name])
