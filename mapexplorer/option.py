"""Options as fields of dataclasses, from which command-line options, dialog rows and JSON are derived.

A dataclass derives from `Options`; a field is declared with `option`, or with `group` to include the options of another
dataclass. Other fields are not options; they are set by the code that creates the value.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, Self

from mapexplorer.values import Flag, ValueKind

_OPTION = "option"
_GROUP, _WITHOUT = "group", "without"

SECTIONS = INCLUDE, TRANSFORM, ANIMATION, LIGHT, EXPERT = "Include", "Transform", "Animation", "Light", "Expert"
"""The sections of a dialog, in order."""


class OptionError(ValueError):
    """An invalid value of an option, or options that cannot be combined.

    The sentence contains options as `{name}`, which each interface shows in its own spelling, and `values` as `{0}`,
    `{1}`.
    """

    def __init__(self, sentence: str, *values: object) -> None:
        super().__init__(sentence, *values)
        self.names = tuple(
            name for _, name, _, _ in Formatter().parse(sentence) if name is not None and not name.isdecimal()
        )

    def said(self, spelled: Callable[[str], str]) -> str:
        """The sentence with the names of options spelled by `spelled`."""
        sentence, *values = self.args
        return str(sentence.format(*values, **{name: spelled(name) for name in self.names}))

    def __str__(self) -> str:
        return self.said(lambda name: name)


@dataclass(frozen=True)
class Option:
    """The description of an option."""

    kind: ValueKind
    """What its values are."""
    help: str
    """Its text in the command line's help, and its tooltip."""
    title: str
    """Its label in a dialog."""
    unit: str = ""
    """What a dialog shows after a number."""
    spelling: str = ""
    """Its names on the command line, where they do not follow from the field."""
    titles: Mapping[Any, str] = dataclasses.field(default_factory=dict)
    """The texts of a dialog for values: of a choice, or for True and False of a flag."""
    absent: str = ""
    """The text of a dialog for None."""
    shown: tuple[float, float] | None = None
    """The range of a dialog's spin box if `kind` has none."""
    decimals: int = 0
    """The decimals of a dialog's spin box."""
    beside: bool = False
    """Whether it is in the same row of a dialog as the option before."""
    section: str = ""
    """The section of a dialog that has to be opened to see it, one of SECTIONS; empty for what is always shown."""
    needs: tuple[str, Callable[[Any], bool]] | None = None
    """Another option, and a test of the values of it with which this one has an effect."""


def option(default: Any, kind: ValueKind, help: str, title: str, **more: Any) -> Any:
    """A dataclass field that is an option; `more` are fields of `Option`."""
    return dataclasses.field(default=default, metadata={_OPTION: Option(kind, help, title, **more)})


def again(declaring: type[Options], name: str, default: Any, **changed: Any) -> Any:
    """A field for an option that another class declares, with another default; `changed` are fields of `Option`."""
    field = next(field for field in dataclasses.fields(declaring) if field.name == name)
    return dataclasses.field(
        default=default, metadata={_OPTION: dataclasses.replace(field.metadata[_OPTION], **changed)}
    )


def group(options: type[Options], about: str = "", without: tuple[str, ...] = ()) -> Any:
    """A field with the options of another dataclass, except those named in `without`, which keep their defaults;
    `about` is put before the help of each."""
    return dataclasses.field(default_factory=options, metadata={_GROUP: about, _WITHOUT: without})


@dataclass(frozen=True)
class Declared:
    """An option of a dataclass: `group` is the field of the group that contains it, empty for the dataclass itself,
    `about` that group's prefix of help texts."""

    name: str
    option: Option
    default: Any
    group: str = ""
    about: str = ""

    @property
    def inverted(self) -> bool:
        """Whether it is a flag that is on by default: the command line has an option that turns it off."""
        return isinstance(self.option.kind, Flag) and bool(self.default)

    @property
    def spellings(self) -> list[str]:
        """The names on the command line, the long name first."""
        return (self.option.spelling or f"--{self.name.replace('_', '-')}").split()


@dataclass(frozen=True)
class Options:
    """The base of all dataclasses with options: values are checked on creation. Raises OptionError."""

    def __post_init__(self) -> None:
        own: Any = type(self)
        for name, kind, may_be_none in _checked(own):
            value = getattr(self, name)
            if not (value is None and may_be_none):
                try:
                    kind.check(value)
                except ValueError as error:
                    raise OptionError(f"{{{name}}}: {{0}}", error) from None
                except TypeError:
                    raise OptionError(f"{{{name}}}: {{0!r}} is a value of another type", value) from None

    @classmethod
    @cache
    def declared(cls) -> tuple[Declared, ...]:
        """All options, including those of groups."""
        options: list[Declared] = []
        for field in dataclasses.fields(cls):
            if _OPTION in field.metadata:
                options.append(Declared(field.name, field.metadata[_OPTION], field.default))
            elif _GROUP in field.metadata:
                inner: type[Options] = field.default_factory  # type: ignore[assignment]
                kept = [declared for declared in inner.declared() if declared.name not in field.metadata[_WITHOUT]]
                about = field.metadata[_GROUP]
                options += [Declared(d.name, d.option, d.default, field.name, about) for d in kept]
        return tuple(options)

    @classmethod
    def made(cls, values: Mapping[str, Any], **others: Any) -> Self:
        """Create a value from options by name; `others` are fields that are not options. A name that several groups
        have is set in all of them; one that is not in `values` has its default. Raises OptionError."""
        chosen: dict[str, dict[str, Any]] = {}
        for declared in cls.declared():
            if declared.name in values:
                chosen.setdefault(declared.group, {})[declared.name] = values[declared.name]
        own = chosen.pop("", {})
        groups: dict[str, Any] = {field.name: field.default_factory for field in dataclasses.fields(cls)}
        for name, inner in chosen.items():
            own[name] = groups[name](**inner)
        return cls(**own, **others)

    def flat(self) -> dict[str, Any]:
        """The values of all options by name."""
        owners = ((option, getattr(self, option.group) if option.group else self) for option in self.declared())
        return {option.name: getattr(owner, option.name) for option, owner in owners}

    def to_json(self) -> dict[str, Any]:
        """All fields as JSON values."""
        return {field.name: _plain(getattr(self, field.name)) for field in dataclasses.fields(self)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """The inverse of `to_json`; fields may be omitted. Raises OptionError."""
        fields = {field.name: field for field in dataclasses.fields(cls)}
        unknown = set(value) - set(fields)
        if unknown:
            raise OptionError("there is no option {0}; there are {1}", ", ".join(sorted(unknown)), ", ".join(fields))
        for name, field in fields.items():
            if name not in value and field.default is field.default_factory is dataclasses.MISSING:
                raise OptionError("{0} is missing", name)
        return cls(**{name: _restored(plain, fields[name]) for name, plain in value.items()})


@cache
def _checked(options: type[Any]) -> tuple[tuple[str, ValueKind, bool], ...]:
    """The options among the fields of a dataclass: name, kind, and whether None is allowed."""
    return tuple(
        (field.name, field.metadata[_OPTION].kind, field.default is None)
        for field in dataclasses.fields(options)
        if _OPTION in field.metadata
    )


def _plain(value: Any) -> Any:
    if isinstance(value, Options):
        return value.to_json()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return str(value) if isinstance(value, Path) else value


def _restored(value: Any, field: dataclasses.Field[Any]) -> Any:
    inner = field.default_factory
    if isinstance(inner, type) and issubclass(inner, Options):
        return inner.from_json(value)
    if isinstance(value, list):
        paths = "Path" in str(field.type)
        return tuple(Path(item) if paths else item for item in value)
    return Path(value) if field.type == "Path" else value
