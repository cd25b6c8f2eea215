"""HTML and SVG by one builder, which escapes every text and every value of an attribute."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import Final, TypeAlias

from mapexplorer.system.terminal import printable

_VOID: Final = frozenset(("br", "hr", "img", "input", "link", "meta"))
"""The elements of HTML without an end tag."""


class Markup(str):
    """Text that is markup already: only `tag`, `joined` and constants of the program make it."""

    __slots__ = ()


Content: TypeAlias = "str | Iterable[Content] | None"
"""What an element contains: markup, texts (which are escaped), nothing, or several of them."""


def tag(name: str, /, *contents: Content, **attributes: object) -> Markup:
    """An element. An attribute is named as in Python: `class_`, `http_equiv`; True is one without a value, None and
    False are left out."""
    given = (
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{_escaped(str(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    start = f"<{name}{''.join(given)}>"
    return Markup(start if name in _VOID else f"{start}{joined(contents)}</{name}>")


def joined(contents: Content) -> Markup:
    """Contents one after the other."""
    if contents is None or isinstance(contents, Markup):
        return contents or Markup()
    if isinstance(contents, str):
        return Markup(_escaped(contents))
    return Markup("".join(map(joined, contents)))


def _escaped(text: str) -> str:
    return html.escape(printable(text))
